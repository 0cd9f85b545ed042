"""Runs the commands of az.txt with the installed Azure CLI in one process, and prints one line of JSON for each.

Standard input is a JSON object: the values of the names in az.txt.
"""

import io
import json
import os
import re
import shlex
import sys
import time

COMMAND = re.compile(r"(?:(\w+) = )?az (.+?) => ?(fails: )?(.*)")
VERSION_REFUSED = re.compile("NoRegisteredProviderFound|InvalidApiVersionParameter|InvalidResourceType|not recognized. Consider using the latest")
NOT_EMULATED = re.compile("NotImplementedByEmbeddedAzure|not implemented by the emulator|is not emulated|EmulatorFault")


def folded(text):
    return re.sub(r"\s+", " ", text).strip()


def contains(shown, part):
    """Resource IDs are the same in any case: AKS answers `resourcegroups` in those of its clusters."""
    return part.lower() in shown.lower() if part.startswith("/subscriptions/") else part in shown


def filled(text, values):
    return re.sub(r"\$(\w+)", lambda name: values.get(name[1], name[0]), text)


def words_of(command):
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = lexer.escape = ""
    return list(lexer)


# az writes its errors to the stream that it finds when it starts.
screen, out, err = sys.stdout, io.StringIO(), io.StringIO()
sys.stdout, sys.stderr = out, err

from azure.cli.core import get_default_cli  # noqa: E402


def run(words):
    """The exit code, standard output and standard error of a command."""
    for stream in (out, err):
        stream.seek(0)
        stream.truncate()
    try:
        code = get_default_cli().invoke(words, out_file=out)
    except SystemExit as end:
        code = end.code
    return code or 0, out.getvalue(), err.getvalue()


def outcome_of(code, stdout, stderr, fails, shows):
    shown = folded(stderr if fails else stdout)
    if (code != 0) == fails and (shown == "" if shows == "" else contains(shown, shows)):
        return "refused" if fails else "ok"
    if NOT_EMULATED.search(stderr):
        return "501"
    return "version refused" if VERSION_REFUSED.search(stderr) else "wrong"


def main():
    values = json.load(sys.stdin)
    only = sys.argv[1:]
    section = ""
    with open(os.path.join(os.path.dirname(__file__), "az.txt"), encoding="utf8") as table:
        lines = table.read().splitlines()
    for line in lines:
        if line.startswith("## "):
            section = line[3:]
        if line == "" or line.startswith("#") or (only and section not in ["sign in", *only]):
            continue
        match = COMMAND.fullmatch(line)
        if match is None:
            raise ValueError("not a command with what it shows: " + line)
        name, command, fails, shows = match.groups()
        began = time.process_time(), time.monotonic()
        code, stdout, stderr = run([filled(word, values) for word in words_of(command)])
        if name is not None:
            values[name] = stdout.strip()
        outcome = outcome_of(code, stdout, stderr, fails is not None, "" if shows == "nothing" else filled(shows, values))
        result = {"section": section, "line": line, "outcome": outcome, "cpu": round(time.process_time() - began[0], 2)}
        result["seconds"] = round(time.monotonic() - began[1], 2)
        if outcome not in ("ok", "refused"):
            result["printed"] = "exited with %s and printed %s\n  %s" % (code, folded(stdout)[-600:], folded(stderr)[-1500:])
        print(json.dumps(result), file=screen, flush=True)


main()
