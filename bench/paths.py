"""How many paths do the benchmark programs with inputs have?  Counted without the tool.

Each program of bench/programs is written again as a function that returns its branches.  The function is
called for values from a set in which every possible order or class occurs, and different results are counted.
"""

import itertools


def bubble_sort(n):
    """As many paths as there are sequences of swaps."""
    def path(values):
        a, out = list(values), []
        for i in range(n):
            for j in range(n - i - 1):
                out.append(a[j] > a[j + 1])
                if out[-1]:
                    a[j], a[j + 1] = a[j + 1], a[j]
        return tuple(out)
    return len({path(v) for v in itertools.product(range(n), repeat=n)})


def tree_insert(n):
    def path(values):
        tree, out = {}, []
        for value in values:
            node = tree
            while node:
                out.append((value < node["v"], value > node["v"]))
                if value == node["v"]:
                    break
                node = node["l" if value < node["v"] else "r"]
            if not node:
                node.update(v=value, l={}, r={})
        return tuple(out)
    return len({path(v) for v in itertools.product(range(n), repeat=n)})


def sorted_list(n):
    def path(values):
        cells, out = [], []
        for value in values[:-1]:
            at = 0
            while at < len(cells) and (out.append(cells[at] < value) or cells[at] < value):
                at += 1
            if at < len(cells):
                out.append(cells[at] == value)
                if cells[at] == value:
                    continue
            cells.insert(at, value)
        at, wanted = 0, values[-1]
        while at < len(cells) and (out.append(cells[at] < wanted) or cells[at] < wanted):
            at += 1
        return tuple(out)  # the program returns whether it found the wanted value; that is no branch
    return len({path(v) for v in itertools.product(range(n + 1), repeat=n + 1)})


def magic():
    return 9


def state_machine(n):
    """Counts by states: a path goes on with the branches of each character and the state after them."""
    def digit(c, out):
        out.append(c >= 48)
        if c >= 48:
            out.append(c <= 57)
        return 48 <= c <= 57

    def letter(c, out):
        out.append(c >= 97)
        if c >= 97:
            out.append(c <= 122)
        return 97 <= c <= 122

    def is_(c, what, out):
        out.append(c == ord(what))
        return c == ord(what)

    def step(state, c):
        out = []
        if state == "START":
            if is_(c, "-", out) or is_(c, "+", out):
                to = "SIGN"
            elif digit(c, out):
                to = "DIGITS"
            elif letter(c, out):
                to = "NAME"
            elif is_(c, '"', out):
                to = "STRING"
            else:
                to = "START" if is_(c, " ", out) else "ERROR"
        elif state in ("SIGN", "POINT"):
            to = ("DIGITS" if state == "SIGN" else "FRACTION") if digit(c, out) else "ERROR"
        elif state == "DIGITS":
            to = "DIGITS" if digit(c, out) else "POINT" if is_(c, ".", out) else "START" if is_(c, " ", out) else "ERROR"
        elif state == "FRACTION":
            to = ("FRACTION" if digit(c, out) else "EXPONENT" if is_(c, "e", out) else
                  "START" if is_(c, " ", out) else "ERROR")
        elif state == "NAME":
            to = "NAME" if letter(c, out) or is_(c, "_", out) else "START" if is_(c, " ", out) else "ERROR"
        elif state == "STRING":
            to = "START" if is_(c, '"', out) else "STRING"
        else:
            to = state
        return tuple(out), to

    states = {"START": 1}
    ended = 0
    for _ in range(n):
        following = {}
        for state, ways in states.items():
            for _, to in {step(state, c) for c in range(-128, 128)}:
                if to == "ERROR":
                    ended += ways
                else:
                    following[to] = following.get(to, 0) + ways
        states = following
    return ended + sum(states.values())


KNOWN = {"bubble_sort": bubble_sort, "tree_insert": tree_insert, "sorted_list": sorted_list, "magic": magic,
         "state_machine": state_machine}
