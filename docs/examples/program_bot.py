"""A bot as a program: reads one JSON view a line, writes one action a line. docs/bots.md describes the view.

looseends arena --line-up "cmd:python docs/examples/program_bot.py,rookie"
"""

import json
import random
import sys

for line in sys.stdin:
    view = json.loads(line)
    rng = random.Random(view["seed"])  # the same view and seed give the same game again
    legal = view["legal"]
    bids = [action for action in legal if action[0] == "bid"]
    strong = [card for card in view["hand"] if card[0] == "B" or int(card[1:]) >= 11]
    if bids and len(view["bids"][view["seat"]]) < len(strong) // 2:
        action = rng.choice(bids)  # about as many bids as half of the trumps and high cards
    elif ["pass"] in legal:
        action = ["pass"]
    else:
        action = rng.choice(legal)
    print(json.dumps(action), flush=True)
