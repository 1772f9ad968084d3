#!/usr/bin/env python3
"""Threads that each end the process in a way of their own: every strategy that calls itself complete must find all ends.

    tests/ends/ends.py [--long] [STRATEGY]...

The process ends with the first thread that ends it, so with --keep-going a search finds the way of each thread, and nothing else: that
is what the table says, line by line.  Two threads that lock two mutexes in different orders may deadlock, and the deadlock
shows if a third thread exits, also where a fourth would have failed.  One set of threads is one TAP point.
With --long there are more of them, and each pair is searched by all strategies.
"""
import itertools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from suite import Failed, Tap, campaign, compiled, work_folder  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent

# letter: (kind of the bug, the comment at its line)
WAYS = {
    "a": ("assertion", "abort"),
    "A": ("assertion", "assertion"),
    "r": ("crash", "raise"),
    "k": ("crash", "kill"),
    "K": ("crash", "killed"),
    "t": ("crash", "thread-kill"),
    "s": ("crash", "segv"),
    "i": ("crash", "trap"),
    "f": ("double-free", "double-free"),
    "u": ("use-after-free", "use-after-free"),
    "e": ("exit", "exit"),
    "_": ("exit", "_exit"),
    "q": ("exit", "quick_exit"),
    "n": None,  # it returns
}
SEARCHES = ["optimal", "source", "dfs", "dpor", "dpor-cr", "dpor-cr-sleep", "raceflip", "raceflip-opt", "raceflip-simple"]
MAINS = {"join": None, "return": None, "exit": ("exit", "exit of main"), "leave": None}


def line_of(comment):
    lines = (HERE / "ends.c").read_text().splitlines()
    return next(i + 1 for i, line in enumerate(lines) if line.endswith("// " + comment))


def found(program, strategy, arguments):
    try:
        answer = campaign(program, "--strategy", strategy, "-t", "20", "--keep-going", "--fail-on-exit", args=arguments)
    except Failed as why:
        return str(why), set()
    return answer["extent"], {(bug["kind"], 0 if bug["kind"] == "deadlock" else bug["line"]) for bug in answer["bugs"]}


def sets(long):
    """main, steps, threads, further ends"""
    for pair in itertools.combinations(WAYS, 2):
        yield "join", "0", pair, set()
    few = list(itertools.permutations("aAK_esn", 2)) if long else ["a_", "_a", "e_"]
    for main, steps, pair in itertools.product(MAINS, "01", few):
        if (main, steps) != ("join", "0"):
            yield main, steps, pair, set()
    for three in itertools.permutations("aA_n" if long else "a_n", 3):
        yield "return", "0", three, set()
    yield "join", "0", ("1", "2", "_"), {("deadlock", 0)}
    yield "join", "0", ("1", "2", "_", "a"), {("deadlock", 0)}


def chosen(searches, n, long, main, steps, threads):
    """Those that try every interleaving only where there are few; of the others, in turn, if the set is one of many."""
    first = len(threads) == 2 and main == "join" and steps == "0"
    if not first:
        return [s for s in searches if s not in ("dfs", "raceflip-simple")]
    return searches if long else searches[:2] + searches[2:][n % max(len(searches) - 2, 1):][:1]


def main():
    long = "--long" in sys.argv
    searches = [a for a in sys.argv[1:] if a != "--long"] or SEARCHES
    tap = Tap()
    with work_folder() as folder:
        program = compiled(folder / "ends", HERE / "ends.c", "-g", "-w")
        for way, steps, threads, further in sets(long):
            ends = [WAYS.get(t) for t in threads] + [MAINS[way]]
            wanted = {(kind, line_of(comment)) for kind, comment in filter(None, ends)} | further
            wrong = []
            for strategy in chosen(searches, tap.count + 1, long, way, steps, threads):
                extent, got = found(program, strategy, [way, steps, *threads])
                if extent != "complete" or got != wanted:
                    wrong.append(f"{strategy}: {extent}, missing {sorted(wanted - got)}, too many {sorted(got - wanted)}")
            tap.point(not wrong, f"main: {way}, steps: {steps}, threads: {' '.join(threads)}", *wrong)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
