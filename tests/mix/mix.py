#!/usr/bin/env python3
"""Random threads that end the process in many ways: all searches that call themselves complete find the same ends.

    tests/mix/mix.py [--long] [FIRST [COUNT]]

One seed is one TAP point; what its threads do is in its name (mix.c).
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SEARCHES = ["optimal", "source", "dpor-cr-sleep", "raceflip-opt"]
LETTERS = ["wyijakeEKei", "wyijlutpsakeEi", "wyijakeEfbfbi"]


def ends(program, folder, strategy, arguments):
    out = folder / "out.json"
    out.unlink(missing_ok=True)
    command = [ROOT / "bin/teasel", "test", "--strategy", strategy, "-t", "4", "--keep-going", "--fail-on-exit", "-q", "--json", out]
    ran = subprocess.run([*command, program, "--", *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    if not out.exists():
        return "complete", {ran.stdout + ran.stderr}  # differs from what the others find
    answer = json.loads(out.read_text())
    found = {(bug["kind"], bug["line"] if bug["kind"] != "deadlock" else 0, *re.findall(r"status \d+", bug["message"]))
             for bug in answer["bugs"] if bug["kind"] != "race"}
    return answer["extent"], found | ({("ok",)} if answer["outcomes"].get("ok") else set())


def threads(seed):
    dice = random.Random(seed)
    letters = dice.choice(LETTERS)
    n = dice.choice([2, 2, 3])
    codes = ["".join(dice.choice(letters) + str(dice.randrange(3)) for _ in range(dice.randint(1, 6 - n))) for _ in range(n)]
    return [dice.choice("jrp") + dice.choice("nh"), *codes]


def main():
    numbers = [int(a) for a in sys.argv[1:] if a != "--long"]
    first = numbers[0] if numbers else 1
    count = numbers[1] if len(numbers) > 1 else 300 if "--long" in sys.argv else 25
    failed = 0
    with tempfile.TemporaryDirectory() as where:
        folder = pathlib.Path(where)
        program = folder / "mix"
        subprocess.run([ROOT / "bin/teasel-cc", "-g", "-w", "-o", program, HERE / "mix.c"], check=True)
        for n in range(count):
            arguments = threads(first + n)
            found = {s: ends(program, folder, s, arguments) for s in SEARCHES}
            every = set().union(*(got for _, got in found.values()))
            wrong = [f"{s}: {extent}, missing {sorted(map(str, every - got))}"
                     for s, (extent, got) in found.items() if extent == "complete" and got != every]
            failed += bool(wrong)
            print(f"{'not ' if wrong else ''}ok {n + 1} - seed {first + n}: {' '.join(arguments)}", flush=True)
            for text in wrong:
                print("# " + text.replace("\n", "\n# "))
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
