#!/usr/bin/env python3
"""Sampling: how many of the partial orders does each sampler see, and how soon does it find a bug?

    bench/sampling.py [--seeds N] [--tool DIR] [PART]...
                                                 parts: orders, bugs, portfolio, speed (default: all)
    bench/sampling.py --quick                    the programs alone, as TAP

orders     distinct partial orders in as many runs as in the RAPOS paper (Sen, ASE 2007, Table 1), the
           mean over five seeds, beside its figures.  `of` is how many there are
bugs       runs to the first bug, the mean over the seeds (50), on every program of tests/sampling and
           tests/e2e/lockfree that has one, and on the lists whose walk notices a change (the paper's Fig. 7).
           A seed that did not find it counts as the limit; how many did is in brackets
portfolio  `teasel test PROG` without any flag: seconds to the bug, of ten
speed      runs a second, as a ratio to the random walk in the same minute

Samplers that the tool does not have are left out.  A bug where there is none, fewer runs than asked
for, or more orders than there are: exit code 1.  What a sampler misses and how long it takes never fails.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from harness import Report, Tool, Wrong, thousands, yardstick  # noqa: E402

PROGRAMS = HERE / "sampling"
BUGGY = (HERE.parent / "tests" / "sampling", HERE.parent / "tests" / "e2e" / "lockfree")

# A new sampler is one more line: its name in the tables, and the words of its option.
SAMPLERS = {
    "random": ("random",),
    "rapos": ("rapos",),
    "pct": ("pct",),
    "pos": ("pos",),
    "surw": ("surw",),
}
BASE = "random"  # the sampler that the others are compared with

# `of`: the number of partial orders, found by `optimal`, or by formula: montecarlo has 11! (eleven threads at one
# lock), philosophers 9!/(3!)^3 (any two share a fork), moldyn (4!)^2 (four threads at a lock, twice).
Row = collections.namedtuple("Row", "name threads runs random rapos of bugs")
ORDERS = (
    Row("array_list", 7, 300, 71, 247, 1301, {"deadlock"}),
    Row("bounded_buffer", 4, 300, 118, 171, 384, set()),
    Row("hash_set", 7, 300, 42, 230, 3042, set()),
    Row("linked_hash_set", 7, 300, 48, 230, 2712, set()),
    Row("linked_list", 7, 300, 58, 259, 1709, {"deadlock"}),
    Row("moldyn", 11, 100, 19, 48, 576, set()),
    Row("montecarlo", 11, 100, 4, 75, 39916800, set()),
    Row("philosophers", 3, 2000, 1124, 1552, 1680, set()),
    Row("pipeline", 8, 300, 38, 156, None, set()),
    Row("raytracer", 11, 100, 22, 44, None, set()),
    Row("tree_set", 7, 300, 78, 240, 3048, set()),
    Row("vector", 7, 300, 105, 256, 2331, {"deadlock"}),
)
ORDER_SEEDS = range(1, 6)

WHERE_THEY_DIFFER = """
Where they differ from the paper: theirs are Java, switched at synchronisation only; here every access of shared
memory is a step that a sampler may switch at (--preempt all), and sizes were chosen so that the random walk
comes near its figure.  The lists deadlock, as synchronised collections do that are given to each other; such a
run is one more order."""

BUG_SEEDS = 50
BUG_RUNS = 10000
BUG_SECONDS = 10  # limit for one seed; a run that waits in a loop may go on to its step limit
DEFECTS = {"array_list": "", "linked_list": "", "vector": "615, 129"}  # and the paper's: random walk, RAPOS
PORTFOLIO_SECONDS = 10
SPEED = ("two_by_ten", "philosophers", "raytracer")
SPEED_ROUNDS = 5
QUICK_MOST = 5000  # partial orders
QUICK_RUNS = 100


def samplers(tool):
    """The samplers that the tool has, with the options that select them."""
    return {name: ("--strategy", *words) for name, words in SAMPLERS.items() if words[0] in tool.strategies}


def say_missing(tool):
    missing = [name for name in SAMPLERS if name not in samplers(tool)]
    if missing:
        print(f"Left out, this teasel does not have them: {', '.join(missing)}.")


def at_once(work, cases):
    """Results of `work` for each case, several at a time: good for counts, not for times."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(work, cases))


# ---------------------------------------------------------------- orders


def program_of(tool, row):
    return tool.compile(PROGRAMS / f"{row.name}.c", row.name)


def orders_of(tool, row, program, options, seed, runs):
    told = tool.campaign(program, *options, "--preempt", "all", "--keep-going", "--runs", runs, "--seconds", 60, "--seed",
                         seed).told
    kinds = {bug["kind"] for bug in told["bugs"]} - row.bugs
    if kinds:
        raise Wrong(f"a bug where there is none: {', '.join(sorted(kinds))}")
    if told["executions"] != runs:
        raise Wrong(f"{told['executions']} runs of {runs}")
    if not 1 <= told["traces"] <= min(runs, row.of or runs):
        raise Wrong(f"{told['traces']} partial orders, there are {row.of}")
    return told["traces"]


def orders(report, tool, _seeds):
    have, rows = samplers(tool), []
    for row in ORDERS:
        program, met = program_of(tool, row), {}
        for name, options in have.items():
            try:
                met[name] = statistics.mean(at_once(lambda seed: orders_of(tool, row, program, options, seed, row.runs),
                                                    ORDER_SEEDS))
            except Wrong as error:
                report.failure(f"{row.name}, {name}", error)
        cells = []
        for name in have:
            cells.append(f"{met[name]:.1f}" if name in met else "WRONG")
            if name != BASE:
                cells.append(f"{met[name] / met[BASE]:.2f}" if {name, BASE} <= set(met) else "-")
        rows.append((row.name, str(row.threads), str(row.runs), f"{row.of:,}" if row.of else "", str(row.random),
                     str(row.rapos), f"{row.rapos / row.random:.2f}", *cells))
    head = ["program", "threads", "runs", "of", "paper: random", "RAPOS", "ratio"]
    for name in have:
        head += [name] if name == BASE else [name, "ratio"]
    report.table(f"Distinct partial orders, beside Sen (2007), Table 1; means over seeds {ORDER_SEEDS[0]} to "
                 f"{ORDER_SEEDS[-1]}", tuple(head), rows)
    print(WHERE_THEY_DIFFER)


# ---------------------------------------------------------------- bugs

Buggy = collections.namedtuple("Buggy", "label program options kinds")
KINDS = "assertion|crash|deadlock|livelock|use-after-free|double-free"


def buggy_programs(tool):
    """The programs whose heads expect a bug, with the options given there."""
    found = []
    for source in sorted(source for folder in BUGGY for source in folder.glob("*.c")):
        head = source.read_text()
        kinds = set(re.findall(rf"^// expect: ({KINDS})\b", head, re.M))
        flags = re.search(r"^// teasel:.*\bflags=(\S+)", head, re.M)
        if kinds:
            label = f"{source.parent.name}/{source.stem}"
            found.append(Buggy(label, tool.compile(source, label.replace("/", "_")),
                               tuple(flags.group(1).split(",")) if flags else (), kinds))
    if not found:
        raise Wrong(f"no program with a bug in {', '.join(map(str, BUGGY))}")
    return found


def defects(tool):
    """The lists again, with an assertion that fails if a walk notices a change.  Deadlocks do not count."""
    return [Buggy(f"bench/{name}", tool.compile(PROGRAMS / f"{name}.c", f"{name}_defect", "-DDEFECT"), ("--keep-going",),
                  {"assertion"}) for name in DEFECTS]


def first_bug(bugs, kinds):
    return min((bug["executions_to_find"] for bug in bugs if bug["kind"] in kinds), default=None)


def runs_to_bug(tool, buggy, options, seed):
    """The run that found the bug, or None, and the limit."""
    # With --keep-going all runs are made, so there are fewer of them.
    runs = BUG_RUNS // 10 if "--keep-going" in buggy.options else BUG_RUNS
    told = tool.campaign(buggy.program, *buggy.options, *options, "--runs", runs, "--seconds", BUG_SECONDS, "--seed",
                         seed).told
    other = {bug["kind"] for bug in told["bugs"]} - buggy.kinds - {"race"}
    if other and "--keep-going" not in buggy.options:
        raise Wrong(f"another bug: {', '.join(sorted(other))}")
    return first_bug(told["bugs"], buggy.kinds), runs


def mean_to_bug(tool, buggy, options, seeds):
    """The mean over the seeds, as text and as a number."""
    each = at_once(lambda seed: runs_to_bug(tool, buggy, options, seed), range(1, seeds + 1))
    missed = sum(1 for found, _ in each if found is None)
    mean = statistics.mean(limit if found is None else found for found, limit in each)
    return (f"> {mean:,.1f} ({missed})" if missed else f"{mean:,.1f}"), mean


def bugs(report, tool, seeds):
    have, rows = samplers(tool), []
    sums = {name: [] for name in have}
    for buggy in (*buggy_programs(tool), *defects(tool)):
        cells = []
        for name, options in have.items():
            try:
                text, mean = mean_to_bug(tool, buggy, options, seeds)
                sums[name].append(mean)
                cells.append(text)
            except Wrong as error:
                report.failure(f"{buggy.label}, {name}", error)
                cells.append("WRONG")
        rows.append((buggy.label, *cells, DEFECTS.get(buggy.label.removeprefix("bench/"), "")))
    rows.append(("geometric mean", *(f"{statistics.geometric_mean(means):,.1f}" if means else "-" for means in sums.values()),
                 ""))
    report.table(f"Runs to the first bug; means over seeds 1 to {seeds}, limit {BUG_RUNS:,} runs ({BUG_RUNS // 10:,} for "
                 "bench/...), seeds that hit it in brackets", ("program", *have, "paper: random, RAPOS"), rows)


# ---------------------------------------------------------------- portfolio


def portfolio(report, tool, _seeds):
    rows, found = [], 0
    programs = buggy_programs(tool)
    for buggy in programs:
        try:
            told = tool.campaign(buggy.program).told
            first = first_bug(told["bugs"], buggy.kinds) if told["seconds"] <= PORTFOLIO_SECONDS else None
            found += first is not None
            rows.append((buggy.label, f"{told['seconds']:.2f}" if first else f"> {PORTFOLIO_SECONDS}",
                         f"{first:,}" if first else f"> {told['executions']:,}", told["strategy"]))
        except Wrong as error:
            report.failure(buggy.label, error)
            rows.append((buggy.label, "WRONG", "", ""))
    report.table(f"teasel test without flags: the bug of {found} of {len(programs)} programs within {PORTFOLIO_SECONDS} s",
                 ("program", "seconds", "runs", "strategy"), rows)


# ---------------------------------------------------------------- speed


def speed_program(tool, name):
    return tool.build(name, ()) if name == "two_by_ten" else tool.compile(PROGRAMS / f"{name}.c", name)


def speed(report, tool, _seeds):
    have, rows = samplers(tool), []
    for what in SPEED:
        rates, yards = {name: [] for name in have}, []
        try:
            program = speed_program(tool, what)
            for _ in range(SPEED_ROUNDS):
                yards.append(yardstick(tool))
                for name, options in have.items():
                    told = tool.campaign(program, *options, "--seconds", 0.7).told
                    rates[name].append(told["executions_per_second"])
        except Wrong as error:
            report.failure(what, error)
            rows.append((what, *["WRONG"] * len(have), ""))
            continue
        base = rates.get(BASE, [])
        cells = []
        for name in have:
            middle = thousands(statistics.median(rates[name]))
            ratio = statistics.median(r / b for r, b in zip(rates[name], base)) if base else None
            cells.append(middle if name == BASE or ratio is None else f"{middle} ({ratio:.2f})")
        in_yards = statistics.median(b / y for b, y in zip(base, yards)) if base else 0
        rows.append((what, *cells, f"{in_yards:.1f}"))
    report.table(f"Runs a second, in brackets as a ratio to {BASE}; medians of {SPEED_ROUNDS} rounds",
                 ("program", *have, f"{BASE}, yardsticks"), rows)


# ---------------------------------------------------------------- quick


def check_row(tool, row):
    """Checks every sampler on a program, and the number of its partial orders with `optimal`."""
    program = program_of(tool, row)
    for name, options in samplers(tool).items():
        first = orders_of(tool, row, program, options, 1, QUICK_RUNS)
        if first != orders_of(tool, row, program, options, 1, QUICK_RUNS):
            raise Wrong(f"{name}: the same seed, and another number of partial orders")
    if row.of and row.of <= QUICK_MOST:
        told = tool.test(program, "optimal", row.of + 1).told
        if told["executions"] != row.of or told["traces"] != row.of:
            raise Wrong(f"optimal: {told['executions']} runs, {told['traces']} partial orders, expected {row.of}")


def quick(tool):
    failed = 0
    print(f"1..{len(ORDERS)}")
    for number, row in enumerate(ORDERS, 1):
        why = None
        try:
            check_row(tool, row)
        except Wrong as error:
            why = str(error)
        failed += bool(why)
        print(f"{'not ok' if why else 'ok'} {number} - {row.name}, {row.threads} threads: {', '.join(samplers(tool))}",
              flush=True)
        for line in (why or "").splitlines():
            print(f"#   {line}")
    return 1 if failed else 0


PARTS = {"orders": orders, "bugs": bugs, "portfolio": portfolio, "speed": speed}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seeds", type=int, default=BUG_SEEDS, metavar="N", help=f"for bugs ({BUG_SEEDS})")
    parser.add_argument("--tool", type=pathlib.Path, default=HERE.parent, metavar="DIR", help="where bin/teasel is")
    parser.add_argument("part", nargs="*", metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    for name in options.part:
        if name not in PARTS:
            parser.error(f"no part '{name}'; there are: {', '.join(PARTS)}")
    if options.seeds < 1:
        parser.error("--seeds wants at least 1")
    report, begun = Report("sampling"), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="teasel-sampling.") as work:
        tool = Tool(options.tool.resolve(), pathlib.Path(work))
        if options.quick:
            return quick(tool)
        say_missing(tool)
        for name in options.part or PARTS:
            PARTS[name](report, tool, options.seeds)
    print(f"\n{time.monotonic() - begun:.0f} s")
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
