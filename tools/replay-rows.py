"""Prints the replayer's rows as its comparison sees them, one a line. usage: replay-rows.py RESULTS, with the replayer in PYTHONPATH"""
import json
import sys

from report import load

for row in load(sys.argv[1]):
    if "outcome" in row:
        print(json.dumps(row))
