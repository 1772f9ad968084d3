#!/usr/bin/env python3
"""How many interleavings does a program have?  Counted by brute force, without Teasel.

    tests/e2e/closed_form/count.py FILE.c...

Each program carries a model of itself in its head, one line per thread, one word per step:

    // model: T0 = create:1 create:2 exit
    // model: T1 = lock:m write unlock:m

A thread other than main begins with `start` and ends with `end`; both are steps and need not
be written.  Words, and when they are enabled (always, if nothing is said):

    create:T  join:T (T has ended)  exit (nobody else can take a step)
    lock:M (free)  unlock:M  trylock:M/N  timedlock:M/N (busy: fails, skips N words)
    wait:C:M       releases M and queues; then `lock:M` once it was signalled
    timedwait:C:M  as wait; while queued also a step `woken`, which gives up, then `lock:M`
                   (with --spurious every wait is one)
    signal:C       wakes one waiter, any: each is an interleaving of its own
    broadcast:C
    rdlock:L (no writer)  wrlock:L (nobody)  rw-unlock:L
    sem-init:S=V  sem-wait:S (positive)  sem-post:S  sem-trywait:S/N
    barrier-init:B=V  barrier:B   two steps: arrive; leave (the round is full)
    once:O/N (the routine is not running)  once-done:O   done already: skips N words
    tryjoin:T/N (T has not ended: fails, skips N words)
    spin-lock:M    as lock
    anything else (read, write, atomic-write, rmw, yield, ...) is a step without effect here

An interleaving is a maximal sequence of steps; it ends with the step `exit`, with all threads
ended, or in a deadlock.  This file is the oracle: it follows POSIX and the comments of
src/abi/events.def, and knows nothing of how the runtime does it.
"""

import functools
import pathlib
import re
import sys


class Bad(Exception):
    pass


class Model:
    """The program; states are tuples, so that they can be looked up.

    A state is (threads, objects).  threads: per thread (place, mode), or None when it does not
    exist yet; mode is None, "queued" (waits, not signalled) or "woken" (stands before taking its
    mutex again).  objects: (name, value) sorted by name; what is not there has value 0.
        mutex      holder + 1
        rwlock     readers, or -1 - writer
        semaphore  value
        barrier    (needed, arrived, threads that may leave)
        once       1 while the routine runs, 2 afterwards
        condition  waiters in the order of arrival, as a tuple, or 0
    """

    def __init__(self, threads):
        self.threads = threads
        self.first = (((0, None),) + (None,) * (len(threads) - 1), ())

    def word(self, thread, state):
        """The next word of a live thread, or None."""
        at = state[0][thread]
        if at is None or at[0] >= len(self.threads[thread]):
            return None
        return self.threads[thread][at[0]]

    def ended(self, thread, state):
        at = state[0][thread]
        return at is not None and at[0] >= len(self.threads[thread])

    # ------------------------------------------------------------ which steps

    def enabled(self, state):
        """Threads that can take a step, in order."""
        able = [t for t in range(len(self.threads)) if self.can_run(t, state)]
        if not able:
            able = [t for t in range(len(self.threads)) if self.word(t, state) == ("exit",)]
        return able

    def can_run(self, thread, state):
        word = self.word(thread, state)
        if word is None or word == ("exit",):
            return False
        kind, objects, mode = word[0], dict(state[1]), state[0][thread][1]
        if kind in ("wait", "timedwait"):
            if mode == "queued":
                return kind == "timedwait"
            return mode is None or objects.get(word[2], 0) == 0
        value = objects.get(word[1], 0) if len(word) > 1 else 0
        if kind == "join":
            return self.ended(word[1], state)
        if kind in ("lock", "spin-lock"):
            return value == 0
        if kind == "once":
            return value != 1
        if kind == "rdlock":
            return value >= 0
        if kind == "wrlock":
            return value == 0
        if kind == "sem-wait":
            return value > 0
        if kind == "barrier-leave":
            return thread in value[2]
        return True

    def step_name(self, thread, state):
        """What a trace calls the step the thread stands before."""
        word = self.word(thread, state)
        mode = state[0][thread][1]
        if word[0] in ("wait", "timedwait"):
            return {None: "wait", "queued": "woken", "woken": "lock"}[mode]
        return word[0]

    # ------------------------------------------------------------ what they do

    def step(self, thread, state):
        """The states after it: several when it is a choice."""
        word, mode = self.word(thread, state), state[0][thread][1]
        kind = word[0]
        if kind == "exit":
            return ["exited"]
        threads, objects = list(state[0]), dict(state[1])
        place = threads[thread][0]
        threads[thread] = (place + 1, None)
        name = word[1] if len(word) > 1 else None
        value = objects.get(name, 0)
        if kind == "create":
            threads[name] = (0, None)
        elif kind in ("lock", "spin-lock", "trylock", "timedlock"):
            if value == 0:
                objects[name] = thread + 1
            else:
                threads[thread] = (place + 1 + word[2], None)
        elif kind == "unlock":
            self.must(value == thread + 1, word, thread)
            objects[name] = 0
        elif kind in ("wait", "timedwait"):
            self.wait(thread, word, mode, place, threads, objects)
        elif kind == "signal":
            return self.signal(name, threads, objects)
        elif kind == "broadcast":
            for waiter in objects.pop(name, 0) or ():
                threads[waiter] = (threads[waiter][0], "woken")
        elif kind == "rdlock":
            objects[name] = value + 1
        elif kind == "wrlock":
            objects[name] = -1 - thread
        elif kind == "rw-unlock":
            self.must(value > 0 or value == -1 - thread, word, thread)
            objects[name] = value - 1 if value > 0 else 0
        elif kind == "sem-init":
            objects[name] = word[2]
        elif kind == "sem-post":
            objects[name] = value + 1
        elif kind == "sem-wait":
            objects[name] = value - 1
        elif kind == "once":
            if value == 0:
                objects[name] = 1
            else:
                threads[thread] = (place + 1 + word[2], None)
        elif kind == "once-done":
            objects[name] = 2
        elif kind == "tryjoin":
            if not self.ended(name, state):
                threads[thread] = (place + 1 + word[2], None)
        elif kind == "sem-trywait":
            if value > 0:
                objects[name] = value - 1
            else:
                threads[thread] = (place + 1 + word[2], None)
        elif kind == "barrier-init":
            objects[name] = (word[2], (), ())
        elif kind == "barrier-arrive":
            needed, arrived, leaving = value
            arrived += (thread,)
            full = len(arrived) == needed
            objects[name] = (needed, () if full else arrived, leaving + arrived if full else leaving)
        elif kind == "barrier-leave":
            objects[name] = (value[0], value[1], tuple(t for t in value[2] if t != thread))
        return [pack(threads, objects)]

    def wait(self, thread, word, mode, place, threads, objects):
        condition, mutex = word[1], word[2]
        if mode is None:
            self.must(objects.get(mutex, 0) == thread + 1, word, thread)
            objects[mutex] = 0
            objects[condition] = (objects.get(condition, 0) or ()) + (thread,)
            threads[thread] = (place, "queued")
        elif mode == "queued":  # gives up
            objects[condition] = tuple(t for t in objects[condition] if t != thread)
            threads[thread] = (place, "woken")
        else:
            objects[mutex] = thread + 1

    @staticmethod
    def signal(condition, threads, objects):
        waiters = objects.get(condition, 0) or ()
        after = []
        for waiter in waiters:
            new_threads, new_objects = list(threads), dict(objects)
            new_threads[waiter] = (threads[waiter][0], "woken")
            new_objects[condition] = tuple(t for t in waiters if t != waiter)
            after.append(pack(new_threads, new_objects))
        return after or [pack(threads, objects)]

    @staticmethod
    def must(true, word, thread):
        if not true:
            raise Bad(f"T{thread} does not hold what it gives up: {':'.join(map(str, word))}")

    # ------------------------------------------------------------ counting

    def count(self):
        """(interleavings, of which deadlocks)."""
        sys.setrecursionlimit(100000)

        @functools.lru_cache(maxsize=None)
        def go(state):
            if state == "exited":
                return 1, 0
            able = self.enabled(state)
            if not able:
                alive = any(self.word(t, state) for t in range(len(self.threads)))
                return 1, int(alive)
            total = stuck = 0
            for thread in able:
                for after in self.step(thread, state):
                    ways, dead = go(after)
                    total, stuck = total + ways, stuck + dead
            return total, stuck

        return go(self.first)


def pack(threads, objects):
    kept = tuple(sorted((name, value) for name, value in objects.items() if value not in (0, ())))
    return tuple(threads), kept


# ---------------------------------------------------------------- reading


NUMBERED = {"trylock", "timedlock", "sem-trywait", "sem-init", "barrier-init", "once", "tryjoin"}


def parse(text):
    """One word as a tuple: its kind, its objects, its number."""
    match = re.fullmatch(r"([a-z-]+)((?::\w+)*)(?:[/=](\d+))?", text)
    if not match:
        raise Bad(f"not a word: '{text}'")
    kind, names, value = match.group(1), match.group(2).split(":")[1:], match.group(3)
    word = (kind, int(names[0])) if kind in ("create", "join", "tryjoin") else (kind, *names)
    if kind in NUMBERED:
        if value is None:
            raise Bad(f"'{text}' needs a number")
        word += (int(value),)
    return word


def expand(texts):
    for text in texts:
        word = parse(text)
        if word[0] == "barrier":
            yield "barrier-arrive", word[1]
            yield "barrier-leave", word[1]
        else:
            yield word


def read_model(path):
    found = dict(re.findall(r"^// model: T(\d+) =(.*)$", pathlib.Path(path).read_text(), re.M))
    if sorted(map(int, found)) != list(range(len(found))) or not found:
        raise Bad(f"{path}: threads are not numbered from T0")
    threads = []
    for number in range(len(found)):
        words = tuple(expand(found[str(number)].split()))
        threads.append(words if number == 0 else (("start",), *words, ("end",)))
    return Model(tuple(threads))


def main():
    for path in sys.argv[1:]:
        total, stuck = read_model(path).count()
        print(f"{path}: {total}, deadlocks {stuck}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
