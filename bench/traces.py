#!/usr/bin/env python3
"""How many Mazurkiewicz traces does a small thread program have?  Counted without any reduction.

    bench/traces.py [PROGRAM[(N[,M])]]...      prints counts; without arguments, checks its own table

This is the oracle for the minima of bench/strategies.  A program is a list of threads.  Each thread is a
Python generator that yields its shared steps and is sent their results:

    ("read", x)  ("write", x, value)  ("cas", x, old, new)  ("add", x, value)
    ("lock", m)  ("unlock", m)  ("wait", c, m)  ("signal", c)  ("broadcast", c)

Each step reads or writes objects; two steps of different threads commute if they have no object in common,
or both only read it.  A compare-and-swap that fails only reads, a signal that wakes no thread only reads its
condition, a wait also unlocks, and a thread that was woken locks again: the rules of src/abi/conflict.h.
There are two independent ways to count:

    count    depth first with sleep sets over all enabled threads: each trace is reached only by its
             first linearisation, so paths are counted and not stored; states are memoised
    forms    level by level, by the set of all prefixes as partial orders (each event is its clock)

Main, which creates the threads and joins them, adds no order between them and is left out.  Groups of
threads that never touch the same object are counted separately, and the counts are multiplied.
"""

import functools
import math
import re
import sys

NO_STEP = ("end",)


class Program:
    """threads: functions that make the generators.  touches: for each thread, all objects it may touch."""

    def __init__(self, threads, memory=None, touches=None):
        self.threads, self.memory = threads, memory or {}
        self.touches = touches
        self.step_cache = {}

    def groups(self):
        """Programs that share nothing with each other."""
        if not self.touches:
            return [self]
        left, out = list(range(len(self.threads))), []
        while left:
            group, seen = [left.pop(0)], 0
            while seen < len(group):
                mine, seen = self.touches[group[seen]], seen + 1
                near = [t for t in left if mine & self.touches[t]]
                group += near
                left = [t for t in left if t not in near]
            out.append(Program([self.threads[t] for t in group], self.memory))
        return out

    # A state is (results that each thread was sent so far, memory and locks, queues, woken threads).
    def first(self):
        return tuple(() for _ in self.threads), tuple(sorted(self.memory.items())), (), ()

    def pending(self, thread, state):
        """The step the thread stands before."""
        told = state[0][thread]
        step = self.step_cache.get((thread, told))
        if step is None:
            generator = self.threads[thread]()
            step = next(generator, NO_STEP)
            for answer in told:
                try:
                    step = generator.send(answer)
                except StopIteration:
                    step = NO_STEP
            self.step_cache[thread, told] = step
        return step

    def steps(self, thread, state):
        """The steps that can follow: (accesses, woken threads, state after); none if the thread is blocked."""
        kind, *words = self.pending(thread, state)
        if kind == "end":
            return []
        told, memory, queues, woken = state
        values, waiting = dict(memory), dict(queues)
        name = words[0]
        old = values.get(name, 0)

        def done(answer, accesses, wakes=(), waits=False):
            after = list(told)
            if not waits:
                after[thread] = told[thread] + (answer,)
            now = tuple(sorted(t for t in {*woken, *wakes} if t != thread or waits))
            kept = tuple(sorted((k, v) for k, v in waiting.items() if v))
            known = tuple(sorted((k, v) for k, v in values.items() if v != 0))
            return accesses, wakes, (tuple(after), known, kept, now)

        if kind == "read":
            return [done(old, ((name, "r"),))]
        if kind == "write":
            values[name] = words[1]
            return [done(None, ((name, "w"),))]
        if kind == "add":
            values[name] = old + words[1]
            return [done(old, ((name, "w"),))]
        if kind == "cas":
            if old == words[1]:
                values[name] = words[2]
            return [done(old == words[1], ((name, "w" if old == words[1] else "r"),))]
        if kind == "lock":
            values[name] = 1
            return [] if old else [done(None, ((name, "w"),))]
        if kind == "unlock":
            values[name] = 0
            return [done(None, ((name, "w"),))]
        queue = waiting.get(name, ())
        if kind == "wait":
            mutex = words[1]
            if thread in woken:
                taken = values.get(mutex, 0)
                values[mutex] = 1
                return [] if taken else [done(None, ((mutex, "w"),))]
            if thread in queue:
                return []
            values[mutex] = 0
            waiting[name] = tuple(sorted((*queue, thread)))
            return [done(None, ((name, "w"), (mutex, "w")), waits=True)]
        if kind == "broadcast":
            waiting[name] = ()
            return [done(None, ((name, "w" if queue else "r"),), queue)]
        assert kind == "signal", kind
        out = []
        for waiter in queue:
            waiting[name] = tuple(t for t in queue if t != waiter)
            out.append(done(None, ((name, "w"),), (waiter,)))
        return out or [done(None, ((name, "r"),))]


def commute(one, other):
    return not any(a == b and "w" in (p, q) for a, p in one for b, q in other)


# ---------------------------------------------------------------- two ways to count


def count(program):
    """The number of traces, and how many of these end in a deadlock."""
    sys.setrecursionlimit(100000)
    traces, stuck = 1, None
    for part in program.groups():
        every, dead = count_connected(part)
        # A deadlock of one group is one of the whole.
        stuck = dead if stuck is None else every * stuck + dead * traces - stuck * dead
        traces *= every
    return traces, stuck


def count_connected(program):
    everybody = range(len(program.threads))

    @functools.lru_cache(maxsize=None)
    def go(state, asleep):
        able = [(t, way, step) for t in everybody for way, step in enumerate(program.steps(t, state))]
        if not able:
            return 1, int(any(program.pending(t, state) != NO_STEP for t in everybody))
        accesses = {(t, way): step[0] for t, way, step in able}
        total = dead = 0
        sleeping = set(asleep)
        for thread, way, (touched, _, after) in able:
            if (thread, way) in sleeping:
                continue
            stay = frozenset(s for s in sleeping if s[0] != thread and commute(accesses[s], touched))
            every, some = go(after, stay)
            total, dead = total + every, dead + some
            sleeping.add((thread, way))
        return total, dead

    return go(program.first(), frozenset())


def forms(program):
    """The number of traces, by building every prefix as a partial order."""
    everybody = range(len(program.threads))
    nothing = (0,) * len(program.threads)

    def join(*clocks):
        return tuple(map(max, zip(*clocks)))

    # Events of each thread as clocks -> (state, clock of the thread, of each object and role).
    level = {tuple(() for _ in everybody): (program.first(), (nothing,) * len(program.threads), {})}
    total = 0
    while level:
        further = {}
        for form, (state, clocks, objects) in level.items():
            able = False
            for thread in everybody:
                for way, (accesses, wakes, after) in enumerate(program.steps(thread, state)):
                    able = True
                    past = [clocks[thread]]
                    for name, role in accesses:
                        past.append(objects.get((name, "w"), nothing))
                        if role == "w":
                            past.append(objects.get((name, "r"), nothing))
                    clock = list(join(*past))
                    clock[thread] += 1
                    clock = tuple(clock)
                    new = list(form)
                    new[thread] = form[thread] + ((way, clock),)
                    new = tuple(new)
                    if new in further:
                        continue
                    known = dict(objects)
                    for access in accesses:
                        known[access] = join(known.get(access, nothing), clock)
                    passed = list(clocks)
                    passed[thread] = clock
                    for waiter in wakes:
                        passed[waiter] = join(passed[waiter], clock)
                    further[new] = after, tuple(passed), known
            total += not able
        level = further
    return total


# ---------------------------------------------------------------- the programs of bench/programs


def probing(starts, slots):
    """All slots that each thread may touch.  A claim begins at a slot and goes on to the next one while
    slots are taken, so it can go d slots further only past d claims of others."""
    claims = [(tid, start) for tid, own in enumerate(starts) for start in own]
    reach = [{start} for _, start in claims]
    grown = True
    while grown:
        grown = False
        for me, (_, start) in enumerate(claims):
            past = {(start + d) % slots for d in range(len(reach[me]))}
            near = sum(1 for other, may in enumerate(reach) if other != me and may & past)
            if near >= len(past) < slots:
                reach[me] = past | {(start + len(past)) % slots}
                grown = True
    return [set().union(*(may for (owner, _), may in zip(claims, reach) if owner == tid))
            for tid in range(len(starts))]


def indexer(n):
    def thread(tid):
        for k in range(1, 5):
            w = 11 * k + tid
            slot = 7 * w % 128
            while not (yield ("cas", slot, 0, w)):
                slot = (slot + 1) % 128

    starts = [{7 * (11 * k + tid) % 128 for k in range(1, 5)} for tid in range(n)]
    return Program([functools.partial(thread, t) for t in range(n)], touches=probing(starts, 128))


def file_system(n):
    def thread(tid):
        i = tid % 32
        yield ("lock", f"li{i}")
        if (yield ("read", f"i{i}")) == 0:
            block = 2 * i % 26
            while True:
                yield ("lock", f"lb{block}")
                if (yield ("read", f"b{block}")) == 0:
                    yield ("write", f"b{block}", 1)
                    yield ("write", f"i{i}", block + 1)
                    yield ("unlock", f"lb{block}")
                    break
                yield ("unlock", f"lb{block}")
                block = (block + 1) % 26
        yield ("unlock", f"li{i}")

    blocks = probing([{2 * (tid % 32) % 26} for tid in range(n)], 26)
    return Program([functools.partial(thread, t) for t in range(n)],
                   touches=[{f"i{tid % 32}", *blocks[tid]} for tid in range(n)])


def locked_add(name):
    yield ("lock", "m")
    yield ("write", name, (yield ("read", name)) + 1)
    yield ("unlock", "m")


def parallel_pi(n):
    return Program([lambda: locked_add("total")] * n)


def pairs(n):
    out = []
    for i in range(n):
        out += [lambda i=i: iter([("read", i)]), lambda i=i: iter([("write", i, 1)])]
    return Program([plain(make) for make in out])


def plain(make):
    """A thread whose steps do not depend on results."""
    def thread():
        for step in make():
            yield step
    return thread


def readers(n):
    return Program([plain(lambda: [("write", "x", 1)])] + [plain(lambda: [("read", "x")])] * n)


def writers(n):
    return Program([plain(lambda t=t: [("write", "x", t + 1)]) for t in range(n)])


def floating_read(n):
    return Program(writers(n).threads + [plain(lambda: [("read", "x")])])


def single_lock(n, m):
    return Program([plain(lambda: [("lock", "m"), ("unlock", "m")] * m)] * n)


def lastzero(n):
    def step(i):
        yield ("write", i, (yield ("read", i - 1)) + 1)

    def scan():
        i = n
        while (yield ("read", i)):
            i -= 1

    return Program([scan] + [functools.partial(step, i) for i in range(1, n + 1)])


def philosophers(n):
    return Program([plain(lambda t=t: [("lock", t), ("lock", (t + 1) % n), ("unlock", (t + 1) % n), ("unlock", t)])
                    for t in range(n)])


def fib_bench(n, watch=1):
    """watch: main reads both numbers while the threads run."""
    def add(to, by):
        for _ in range(n):
            old = yield ("read", to)
            yield ("write", to, old + (yield ("read", by)))

    main = [plain(lambda: [("read", "i"), ("read", "j")])] if watch else []
    return Program([lambda: add("i", "j"), lambda: add("j", "i")] + main, {"i": 1, "j": 1})


def circular_buffer(n):
    def send():
        for i in range(n):
            yield ("lock", "m")
            if not (yield ("read", "full")):
                yield ("write", "value", i)
                yield ("write", "full", 1)
            yield ("unlock", "m")

    def receive():
        for _ in range(n):
            yield ("lock", "m")
            if (yield ("read", "full")):
                yield ("read", "value")
                yield ("write", "full", 0)
            yield ("unlock", "m")

    return Program([send, receive])


def ainc(n):
    return Program([plain(lambda: [("add", "x", 1)])] * n)


def binc(n):
    return Program([plain(lambda: [("add", "x", 1), ("add", "y", 1)])] * n)


def bounded_buffer(n, m):
    """One producer and one consumer of n items, m places."""
    def producer():
        for i in range(n):
            yield ("lock", "m")
            while (yield ("read", "used")) == m:
                yield ("wait", "room", "m")
            yield ("write", f"ring{i % m}", i + 1)
            yield ("write", "used", (yield ("read", "used")) + 1)
            yield ("signal", "filled")
            yield ("unlock", "m")

    def consumer():
        for i in range(n):
            yield ("lock", "m")
            while (yield ("read", "used")) == 0:
                yield ("wait", "filled", "m")
            yield ("read", f"ring{i % m}")
            yield ("write", "used", (yield ("read", "used")) - 1)
            yield ("signal", "room")
            yield ("unlock", "m")

    return Program([producer, consumer])


def synchronous_queue(n, m):
    """n putters and n takers of m items each; a put returns when its item was taken."""
    def putter(tid):
        for k in range(m):
            yield ("lock", "m")
            while (yield ("read", "item")):
                yield ("wait", "empty", "m")
            yield ("write", "item", 1 + tid * m + k)
            yield ("signal", "offered")
            taken = yield ("read", "taken")
            while (yield ("read", "taken")) == taken:
                yield ("wait", "handed", "m")
            yield ("unlock", "m")

    def taker():
        for _ in range(m):
            yield ("lock", "m")
            while not (yield ("read", "item")):
                yield ("wait", "offered", "m")
            yield ("write", "item", 0)
            yield ("write", "taken", (yield ("read", "taken")) + 1)
            yield ("broadcast", "handed")
            yield ("signal", "empty")
            yield ("unlock", "m")

    return Program([functools.partial(putter, t) for t in range(n)] + [taker] * n)


# ---------------------------------------------------------------- what is known of them

# Minima by formula.  bench/strategies checks the tool against them, check() checks them against the models.
CLOSED = {
    "indexer": lambda n: 8 ** max(0, n - 11),
    "file_system": lambda n: 2 ** max(0, n - 13),
    "parallel_pi": math.factorial,
    "pairs": lambda n: 2 ** n,
    "readers": lambda n: 2 ** n,
    "writers": math.factorial,
    "lastwrite": math.factorial,
    "floating_read": lambda n: math.factorial(n + 1),
    "single_lock": lambda n, m: math.factorial(n * m) // math.factorial(m) ** n,
    "lastzero": lambda n: (n + 3) * 2 ** n // 4,
    "philosophers": lambda n: 2 ** n - 1,
    "fib_bench": {1: 11, 2: 140, 3: 1698, 4: 19605, 5: 218243}.get,
    "circular_buffer": lambda n: math.comb(2 * n, n),
    "ainc": math.factorial,
    "binc": lambda n: math.factorial(n) ** 2,
    "bounded_buffer": lambda n, m: {(1, 1): 2, (2, 1): 8, (3, 1): 32, (2, 2): 6, (3, 2): 24}.get((n, m)),
    "synchronous_queue": lambda n, m: {(1, 1): 2, (1, 2): 6, (1, 3): 18, (2, 1): 280}.get((n, m)),
    "stretch": lambda n, m: math.factorial(2 * n) // 2 ** n,
    "crowd": lambda n: math.factorial(min(n, 3)),
}

MODELS = {f.__name__: f for f in (
    indexer, file_system, parallel_pi, pairs, readers, writers, floating_read, single_lock, lastzero, philosophers,
    fib_bench, circular_buffer, ainc, binc, bounded_buffer, synchronous_queue)}

# Sizes that both ways of counting manage quickly, and larger ones for `count` alone.
SMALL = (
    ("parallel_pi", 3), ("parallel_pi", 4), ("pairs", 1), ("pairs", 3), ("readers", 2), ("readers", 4),
    ("writers", 3), ("writers", 4), ("floating_read", 2), ("floating_read", 3), ("single_lock", 2, 2),
    ("single_lock", 3, 1), ("single_lock", 3, 2), ("lastzero", 1), ("lastzero", 2), ("lastzero", 3), ("lastzero", 4),
    ("philosophers", 2), ("philosophers", 3), ("philosophers", 4), ("fib_bench", 1), ("fib_bench", 2),
    ("circular_buffer", 2), ("circular_buffer", 3), ("ainc", 4), ("binc", 3), ("bounded_buffer", 1, 1),
    ("bounded_buffer", 2, 1), ("bounded_buffer", 2, 2), ("synchronous_queue", 1, 2))
LARGER = (
    ("indexer", 11), ("indexer", 12), ("indexer", 13), ("indexer", 15), ("file_system", 13), ("file_system", 14),
    ("file_system", 16), ("file_system", 24), ("fib_bench", 3), ("fib_bench", 4), ("circular_buffer", 7),
    ("bounded_buffer", 3, 1), ("bounded_buffer", 3, 2), ("synchronous_queue", 1, 3))


def check():
    """Compares models with formulas; returns the number of differences."""
    wrong = 0
    for name, *size in (*SMALL, *LARGER):
        want, (got, _) = CLOSED[name](*size), count(MODELS[name](*size))
        again = forms(MODELS[name](*size)) if (name, *size) in SMALL else got
        good = want == got == again
        wrong += not good
        print(f"{'ok' if good else 'WRONG'}  {name}({', '.join(map(str, size))})  {got}"
              + ("" if good else f", as partial orders {again}, by formula {want}"), flush=True)
    return wrong


def main():
    if not sys.argv[1:]:
        return 1 if check() else 0
    for text in sys.argv[1:]:
        match = re.fullmatch(r"(\w+)\((\d+)(?:,(\d+))?\)", text.replace(" ", ""))
        if not match or match.group(1) not in MODELS:
            print(f"traces: not a program with a size: '{text}'; there are: {', '.join(MODELS)}", file=sys.stderr)
            return 2
        traces, stuck = count(MODELS[match.group(1)](*(int(d) for d in match.groups()[1:] if d)))
        print(f"{text}: {traces} traces, {stuck} deadlocks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
