"""`looseends verify`: its answers, its exit codes, and that nothing in a file can break it."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from looseends_client.commands import record_texts
from looseends_client.commands import verify as verify_module
from looseends_client.main import main
from looseends_core.verify import Verdict, verify_text
from tests.client.command import Finished, run, run_here

GOLDEN = Path(__file__).parent.parent / "golden"
GOOD = [json.loads(line) for line in (GOLDEN / "good.jsonl").read_text().splitlines()]
BAD = [json.loads(line) for line in (GOLDEN / "bad.jsonl").read_text().splitlines()]
SMALLEST = min(GOOD, key=lambda record: len(json.dumps(record)))

Verify = Callable[..., Finished]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Verify:
    """Run `looseends verify` on files, in this process."""

    def run_verify(*files: object) -> Finished:
        return run_here(capsys, ["verify", *map(str, files)])

    return run_verify


def lines_of(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def test_good_records_are_accepted() -> None:
    done = run("verify", str(GOLDEN / "good.jsonl"))
    assert done.code == 0
    assert done.err == ""
    assert done.out.splitlines()[-1] == f"{len(GOOD)} records, 0 bad"


def test_bad_records_are_refused_one_line_each_at_the_place_that_another_engine_named(tmp_path: Path) -> None:
    file = tmp_path / "bare.jsonl"
    file.write_bytes(lines_of(*(wrapped["record"] for wrapped in BAD)))
    done = run("verify", str(file))
    assert done.code == 1
    *faults, last = done.out.splitlines()
    assert last == f"{len(BAD)} records, {len(BAD)} bad"
    assert len(faults) == len(BAD)
    for number, (fault, wrapped) in enumerate(zip(faults, BAD, strict=True), 1):
        assert fault.startswith(f"{file}:{number}: ")
        place = re.search(r"round \d+ action \d+|round \d+", wrapped["why"])
        if place:
            assert fault.startswith(f"{file}:{number}: {place[0]}"), (fault, wrapped["why"])


def test_a_bad_record_is_one_line_with_its_place_and_what_was_expected(tmp_path: Path, verify: Verify) -> None:
    finished = next(record for record in GOOD if "scores" in record)
    wrong = {**finished, "scores": [score + 1 for score in finished["scores"]]}
    file = tmp_path / "games.jsonl"
    file.write_bytes(lines_of(finished, wrong))
    done = verify(file)
    assert done.code == 1
    assert f"{file}:2: scores {wrong['scores']} should be {finished['scores']}" in done.out.splitlines()
    assert done.out.splitlines()[-1] == "2 records, 1 bad"


@pytest.mark.parametrize(
    ("without", "words"), [([0], "round 1 has no fairness"), ([0, 1], "rounds 1, 2 have no fairness"), ([], None)]
)
def test_f1_a_right_record_whose_deal_is_not_proven_is_named_on_a_line(
    tmp_path: Path, verify: Verify, without: list[int], words: str | None
) -> None:
    proven = next(r for r in GOOD if len(r["rounds"]) > 1 and all("fairness" in played for played in r["rounds"]))
    rounds = [
        {key: value for key, value in played.items() if key != "fairness" or at not in without}
        for at, played in enumerate(proven["rounds"])
    ]
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**proven, "rounds": rounds}))
    done = verify(file)
    assert done.code == 0
    expected = [f"{file}:1: right, but the deal is not proven: {words}"] if words else []
    assert done.out.splitlines() == [*expected, "1 records, 0 bad"]


# What a file holds


def test_a_json_file_is_one_object_over_many_lines(tmp_path: Path, verify: Verify) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(SMALLEST, indent=1))
    assert verify(file).out.splitlines()[-1] == "1 records, 0 bad"


def test_a_json_file_of_two_objects_is_one_bad_record(tmp_path: Path, verify: Verify) -> None:
    file = tmp_path / "games.json"
    file.write_bytes(lines_of(SMALLEST, SMALLEST))
    done = verify(file)
    assert (done.code, done.out.splitlines()[-1]) == (1, "1 records, 1 bad")


def test_blank_lines_of_a_jsonl_file_are_skipped_but_counted_as_lines(tmp_path: Path, verify: Verify) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n  \r\n" + lines_of(SMALLEST) + b"\n{}\n\n")
    done = verify(file)
    assert done.code == 1
    assert any(line.startswith(f"{file}:5: ") for line in done.out.splitlines())
    assert done.out.splitlines()[-1] == "2 records, 1 bad"


def test_only_a_line_feed_ends_a_line(tmp_path: Path, verify: Verify) -> None:
    """Other characters that Python splits text at may stand in a name."""
    record = {**SMALLEST, "players": ["a\u2028b\x85c\x0bd" for _ in SMALLEST["players"]]}
    file = tmp_path / "games.jsonl"
    file.write_bytes(json.dumps(record, ensure_ascii=False).replace("\x0b", "\\u000b").encode() + b"\r\n")
    assert verify(file).out.splitlines()[-1] == "1 records, 0 bad"


@pytest.mark.parametrize("name", ["games.txt", "games"])
def test_another_file_is_one_object_if_it_is_one_json_value_and_else_lines(
    tmp_path: Path, verify: Verify, name: str
) -> None:
    file = tmp_path / name
    file.write_text("\n\n" + json.dumps({**SMALLEST, "version": 2}, indent=1))
    assert verify(file).out.startswith(f"{file}:3: version ")
    file.write_bytes(lines_of(SMALLEST, SMALLEST))
    assert verify(file).out.splitlines()[-1] == "2 records, 0 bad"
    file.write_bytes(lines_of(SMALLEST))
    assert verify(file).out.splitlines()[-1] == "1 records, 0 bad"


@pytest.mark.parametrize("form", [lambda r: json.dumps(r, indent=1).encode(), lambda r: lines_of(r, r, r)])
def test_a_dash_is_standard_input(form: Callable[[Any], bytes]) -> None:
    count = 3 if form(SMALLEST).count(b"\n") == 3 else 1
    done = run("verify", "-", stdin=form(SMALLEST))
    assert (done.code, done.out.splitlines()[-1]) == (0, f"{count} records, 0 bad")
    done = run("verify", "-", stdin=b"{}")
    assert done.code == 1
    assert done.out.startswith("-:1: format ")


def test_an_empty_jsonl_file_has_no_records(tmp_path: Path, verify: Verify) -> None:
    file = tmp_path / "none.jsonl"
    file.touch()
    assert verify(file) == Finished(0, "0 records, 0 bad\n", "")


def test_records_are_read_one_at_a_time(tmp_path: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record is answered for before the next is read: a file larger than memory is no matter."""
    file = tmp_path / "games.jsonl"
    file.write_bytes(lines_of(*[SMALLEST] * 5))
    read: list[int] = []

    def noting(text: bytes, line: int = 1) -> Verdict:
        read.append(len(text))
        return verify_text(text, line)

    monkeypatch.setattr(verify_module, "verify_text", noting)
    assert verify(file).code == 0
    assert read == [len(lines_of(SMALLEST))] * 5


@pytest.mark.parametrize("name", ["long.jsonl", "long.json", "long"])
def test_a_record_that_is_too_long_is_bad_and_the_next_is_still_read(
    tmp_path: Path, verify: Verify, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(record_texts, "RECORD_LIMIT", len(lines_of(SMALLEST)))
    file = tmp_path / name
    file.write_bytes(b"[" + b"1," * 2 * len(lines_of(SMALLEST)) + b"1]\n" + lines_of(SMALLEST))
    done = verify(file)
    assert done.code == 1
    assert done.out.startswith(f"{file}:1: not a record: it is longer than ")
    assert done.out.splitlines()[-1] == ("1 records, 1 bad" if name == "long.json" else "2 records, 1 bad")


# What cannot be read


def test_a_file_that_cannot_be_read_exits_with_2_and_the_others_are_still_verified(
    tmp_path: Path, verify: Verify
) -> None:
    file = tmp_path / "good.jsonl"
    file.write_bytes(lines_of(SMALLEST) + b"{}\n")
    missing = tmp_path / "missing.jsonl"
    done = verify(missing, file, tmp_path)
    assert done.code == 2
    assert done.out.splitlines()[-1] == "2 records, 1 bad"
    assert done.err.splitlines() == [
        f"looseends: {missing} cannot be read: No such file or directory.",
        f"looseends: {tmp_path} cannot be read: Is a directory.",
    ]


def test_without_a_file_it_says_what_is_missing(verify: Verify) -> None:
    done = verify()
    assert done.code == 2
    assert "FILES" in done.err


def test_an_option_that_it_does_not_have_is_not_taken_for_a_file(verify: Verify) -> None:
    done = verify("--strict")
    assert done.code == 2
    assert "verify has no option --strict" in done.err


# Nothing in a file can break it


def assert_harmless(text: str) -> None:
    """No control or bidi character, line ends aside."""
    assert all(char == "\n" or unicodedata.category(char) not in {"Cc", "Cf", "Cs"} for char in text)


def verified(data: bytes, name: str = "-") -> Finished:
    """Verify bytes as standard input, or as a file of that name, in this process."""
    out, err = io.TextIOWrapper(io.BytesIO(), "ascii"), io.TextIOWrapper(io.BytesIO(), "ascii")
    stdin = sys.stdin
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            sys.stdin = io.TextIOWrapper(io.BytesIO(data))
            code = main(["verify", name])
        finally:
            sys.stdin = stdin
    out.flush()
    err.flush()
    printed = [stream.buffer.getvalue().decode("ascii") for stream in (out, err)]
    return Finished(code, printed[0], printed[1])


def assert_answers(data: bytes) -> None:
    done = verified(data)
    assert done.code in {0, 1}
    assert done.err == ""
    assert_harmless(done.out)
    counted = re.fullmatch(r"(\d+) records, (\d+) bad", done.out.splitlines()[-1])
    assert counted
    assert (int(counted[2]) > 0) == (done.code == 1)


@given(st.binary(max_size=400))
def test_random_bytes_get_an_answer(data: bytes) -> None:
    assert_answers(data)


@given(cut=st.integers(0, 2000), junk=st.binary(max_size=8))
def test_a_truncated_or_overwritten_record_gets_an_answer(cut: int, junk: bytes) -> None:
    whole = lines_of(SMALLEST)
    assert_answers(whole[: cut % len(whole)])
    at = cut % len(whole)
    assert_answers(whole[:at] + junk + whole[at + len(junk) :])


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**4200), 0.5, float("nan"), float("inf"), "B15", "X1", "pass", "\x1b[2J", "\ud800"])
    | st.floats()
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(path for key, child in inner for path in places(child, (*at, key)))]


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """A copy of a JSON value with another value at a path."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], new)
    return copy


def written(value: Any) -> bytes:
    """The line of a JSON value."""
    return json.dumps(value).encode() + b"\n"


@given(st.data())
@settings(max_examples=150)
def test_a_record_with_any_value_replaced_by_any_other_gets_an_answer(data: st.DataObject) -> None:
    record = data.draw(st.sampled_from(sorted(GOOD, key=lambda one: len(json.dumps(one)))[:5]))
    path = data.draw(st.sampled_from(places(record)))
    assert_answers(written(replaced(record, path, data.draw(json_values))))


@given(json_values)
def test_any_json_value_is_a_bad_record(value: Any) -> None:
    assert verified(written(value)).code == 1


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 100_000,
        b'{"format": ' + b"9" * 100_000 + b"}",
        b"\xff\xfe\x00",
        b"\xef\xbb\xbf{}",
        b"\0" * 1000,
        b'"\\ud800"',
        b'{"format":"no-loose-ends/record","version":1,"rules":{"\\u001b[2J":1}}',
        b"1e999999",
        b"-" * 5000,
    ],
    ids=lambda data: ascii(data[:12]),
)
def test_hostile_bytes_get_an_answer(data: bytes) -> None:
    assert_answers(data)
    done = run("verify", "-", stdin=data)
    assert done.code == 1
    assert "Traceback" not in done.err


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="file names of any bytes are a matter of Linux")
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_a_file_name_of_control_and_undecodable_bytes_is_shown_escaped(tmp_path: Path, encoding: str) -> None:
    name = b"\x1b[31mred\xff\xe2\x80\xae\n.json"
    (tmp_path / name.decode("utf-8", "surrogateescape")).write_bytes(b"{}")
    done = run("verify", name, b"gone" + name, env={"PYTHONIOENCODING": encoding}, cwd=tmp_path)
    assert done.code == 2
    assert_harmless(done.out + done.err)
    assert done.out.startswith("\\x1b[31mred\\udcff\\u202e\\n.json:1: format ")
    assert "gone\\x1b[31mred" in done.err
    assert len(done.out.splitlines()) == 2
