#!/usr/bin/env python3
"""Random threads that end the process in many ways: all searches that call themselves complete find the same ends.

    tests/mix/mix.py [--long] [FIRST [COUNT]]

One seed is one TAP point; what its threads do is in its name (mix.c).
"""
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Failed, Tap, campaign, compiled, work_folder  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SEARCHES = ["optimal", "source", "dpor-cr-sleep", "raceflip-opt"]
LETTERS = ["wyijakeEKei", "wyijlutpsakeEi", "wyijakeEfbfbi"]


def ends(program, strategy, arguments):
    try:
        answer = campaign(program, "--strategy", strategy, "-t", "4", "--keep-going", "--fail-on-exit", args=arguments)
    except Failed as why:
        return "complete", {str(why)}  # differs from what the others find
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
    tap = Tap()
    with work_folder() as folder:
        program = compiled(folder / "mix", HERE / "mix.c", "-g", "-w")
        for seed in range(first, first + count):
            arguments = threads(seed)
            found = {s: ends(program, s, arguments) for s in SEARCHES}
            every = set().union(*(got for _, got in found.values()))
            wrong = [f"{s}: {extent}, missing {sorted(map(str, every - got))}"
                     for s, (extent, got) in found.items() if extent == "complete" and got != every]
            tap.point(not wrong, f"seed {seed}: {' '.join(arguments)}", *wrong)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
