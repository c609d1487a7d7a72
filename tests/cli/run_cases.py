#!/usr/bin/env python3
"""Runs of the command with what they must say: run_cases.py VTOPO FILE [--update]

A file has paragraphs, each of a command and what follows from it:

    $ evaluate --topology cart:2 --network torus:2 --format json --timing off
    rows[0] {"mapper":"block","hop_bytes":2097152.0}
    ! vtopo: a line on standard error
    exit 0

Arguments are read as a shell does, in the project's root; $TMP is an empty folder. `PATH VALUE` is
a fact of the JSON object on standard output: other members of an object are not looked at, numbers
may differ by 1e-9 of themselves. Lines with `> ` are lines of standard output, all of them; those of
`! ` are of standard error, all of them, in which the folder is called TMP. --update writes what the
command says now, of the members and paths that are there.
"""
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

FACT = re.compile(r"^([A-Za-z_][\w.\[\]-]*|\.) ([\[{\"\-\dtfn].*)$")
COMMENTS = re.compile(r"^(#.*|)$")


class Case:
    def __init__(self, arguments):
        self.arguments = arguments
        self.facts, self.out, self.err, self.code, self.comments = [], [], [], 0, []


def read_cases(path):
    """Cases and, before each, its comments."""
    cases, comments = [], []
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if COMMENTS.match(line):
            comments.append(line)
        elif line.startswith("$ "):
            cases.append(Case(line[2:]))
            cases[-1].comments, comments = comments, []
        elif line.startswith("! "):
            cases[-1].err.append(line[2:])
        elif line == ">" or line.startswith("> "):
            cases[-1].out.append(line[2:])
        elif line.startswith("exit "):
            cases[-1].code = int(line[5:])
        elif FACT.match(line):
            at, value = FACT.match(line).groups()
            cases[-1].facts.append((at, json.loads(value)))
        else:
            sys.exit(f"{path}:{number}: neither a command nor what follows from one: {line}")
    return cases


def run(vtopo, arguments):
    with tempfile.TemporaryDirectory() as folder:
        words = shlex.split(arguments.replace("$TMP", folder))
        done = subprocess.run([vtopo, *words], capture_output=True, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, check=False)
        # Lines of progress are left out: only a slow machine prints them.
        lines = done.stderr.replace(folder, "TMP").splitlines()
        err = [line for line in lines if not re.search(r": +\d+ %(, .* left)?$", line)]
        return done.stdout.replace(folder, "TMP"), err, done.returncode


def at_path(document, path):
    value = document
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", "" if path == "." else path):
        value = value[name] if name else value[int(index)]
    return value


def holds(expected, actual):
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(
            key in actual and holds(value, actual[key]) for key, value in expected.items())
    if isinstance(expected, list):
        return (isinstance(actual, list) and len(expected) == len(actual)
                and all(map(holds, expected, actual)))
    is_number = lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_number(expected) and is_number(actual):
        return math.isclose(expected, actual, rel_tol=1e-9)
    return type(expected) is type(actual) and expected == actual


def part_of(expected, actual):
    """What an actual value says of the members of an expected one."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        return {key: part_of(value, actual.get(key)) for key, value in expected.items()}
    return actual


def differences(case, out, err, code):
    if code != case.code:
        yield f"exit {code} instead of {case.code}"
    if err != case.err:
        yield "standard error:\n    " + "\n    ".join(err or ["(nothing)"])
    if case.out and out.splitlines() != case.out:
        yield "standard output:\n" + out
    if not case.facts:
        return
    try:
        document = json.loads(out)
    except ValueError:
        yield "standard output is not JSON"
        return
    for at, value in case.facts:
        try:
            actual = part_of(value, at_path(document, at))
        except (KeyError, IndexError, TypeError):
            yield f"{at} is not there"
            continue
        if not holds(value, actual):
            yield f"{at} is {json.dumps(actual, ensure_ascii=False)}"


def text_of(case):
    lines = case.comments + ["$ " + case.arguments]
    lines += [f"{at} {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
              for at, value in case.facts]
    lines += [("> " + line).rstrip() for line in case.out] + ["! " + line for line in case.err]
    return "\n".join(lines + [f"exit {case.code}"]) + "\n"


def main():
    vtopo, path = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    cases, failed = read_cases(path), 0
    for case in cases:
        out, err, code = run(vtopo, case.arguments)
        if sys.argv[3:] == ["--update"]:
            case.err, case.code = err, code
            case.out = out.splitlines() if case.out else []
            document = json.loads(out) if case.facts else None
            case.facts = [(at, part_of(value, at_path(document, at))) for at, value in case.facts]
            continue
        found = list(differences(case, out, err, code))
        failed += bool(found)
        for difference in found:
            print(f"$ vtopo {case.arguments}\n  {difference}")
    if sys.argv[3:] == ["--update"]:
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(map(text_of, cases)))
    elif not cases:
        sys.exit(f"{path}: no cases")
    print(f"{len(cases)} cases, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
