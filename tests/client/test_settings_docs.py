"""docs/settings.md tells every setting and every key as they are, and its example is a file without a fault."""

from __future__ import annotations

import re
from pathlib import Path

from looseends_client.key_list import TABLE_KEYS
from looseends_client.settings import SETTINGS, Kind
from looseends_client.settings_file import find_settings
from looseends_client.table_keys import key_code, keys_in_force

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"
TEXT = PAGE.read_text("utf-8")
ROWS = {row[1]: row[0] for row in re.finditer(r"^\| `([a-z_-]+)` \|.*$", TEXT, re.MULTILINE)}


def test_every_setting_is_there_with_its_sentence_and_its_words() -> None:
    for key, setting in SETTINGS.items():
        assert setting.sentence in ROWS[key]
        assert all(f"`{word}`" in ROWS[key] for word in setting.words)
        if setting.kind is Kind.CHOICE:
            assert f'| `"{setting.default}"` |' in ROWS[key]
        elif setting.kind is Kind.SWITCH:
            assert f"| `{str(setting.default).lower()}` |" in ROWS[key]


def test_every_key_of_the_table_is_there_with_its_usual_keys() -> None:
    for key in TABLE_KEYS:
        usual = re.findall("`([^`]+)`", ROWS[key.id].split("|")[2])
        assert list(map(key_code, usual)) == key.keys.split(",")
        assert key.does in ROWS[key.id]


def test_the_example_is_a_file_without_a_fault(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    file = tmp_path / "settings.toml"
    file.write_text(example, "utf-8")
    found = find_settings(file, {})
    assert found.faults == ()
    keys, refused = keys_in_force(found.settings.keys)
    assert refused == ()
    assert keys.changed() == {"pass": "n", "last-trick": "u,f2"}
