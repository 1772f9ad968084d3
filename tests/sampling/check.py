"""Checks for run.sh, from the text of the files alone.

    share FILE A B     the most frequent of two orders has A of B runs, within four standard deviations
    figures FILE TXT   what teasel report printed is what the frequencies give
    curve FILE S R     it is dense, ends with all, S successions and R reads
    runs FILE N        of all samplers together
    fails FILE P N     N runs, of which P (within five standard deviations) fail an assertion
    svg FILE ROWS      well-formed, nothing from outside, so many samplers, all within the picture
"""

import json
import math
import re
import sys
import xml.etree.ElementTree as ET


def read(path):
    samplers = []
    for line in open(path):
        key, _, rest = line.strip().partition(":")
        if key == "SAMPLER":
            samplers.append({"name": rest, "times": [], "known": []})
        elif key == "RUNS":
            samplers[-1]["runs"] = int(rest)
        elif key == "SEEN":
            orders, runs = map(int, rest.split(","))
            samplers[-1]["times"] += [runs / orders] * orders
        elif key == "KNOWN":
            samplers[-1]["known"].append([int(n) for n in rest.split(",")])
    return samplers


def share(path, a, b):
    (s,) = read(path)
    p = int(a) / int(b)
    assert len(s["times"]) == 2
    off = abs(s["times"][0] - p * s["runs"]) / math.sqrt(p * (1 - p) * s["runs"])
    assert off < 4, f"{off} standard deviations"


def figures(path, text):
    samplers = read(path)
    table = {}
    for line in open(text):
        words = re.split(r"  +", line.strip())
        table[words[0]] = words[1:]
    for i, s in enumerate(samplers):
        times, runs = sorted(s["times"], reverse=True), s["runs"]
        half = summed = 0
        while summed < runs / 2:
            summed += times[half]
            half += 1
        bits = -sum(t / runs * math.log2(t / runs) for t in times)
        even = bits / math.log2(len(times)) if len(times) > 1 else 1
        once = times.count(1)

        def number(label):
            return float(table[label][i].rstrip(" %"))

        assert number("runs") == runs == sum(times)
        assert number("partial orders") == len(times)
        assert abs(number("share of the most frequent one") - 100 * times[0] / runs) < 0.051
        assert number("that make half of the runs") == half
        assert abs(number("evenness, 1 is uniform") - even) < 0.00051
        assert number("seen once") == once
        assert abs(number("the next run shows a new one") - 100 * once / runs) < 0.051
        assert number("pairs of places: in a row") == s["known"][-1][2]


def curve(path, successions, reads):
    (s,) = read(path)
    known = s["known"]
    assert [k[0] for k in known[:12]] == list(range(1, 13))
    assert all(b[0] <= a[0] * 1.1 + 1 for a, b in zip(known, known[1:]))
    assert known[-1] == [s["runs"], len(s["times"]), int(successions), int(reads)], known[-1]


def runs(path, wanted):
    assert sum(s["runs"] for s in read(path)) == int(wanted)


def fails(path, probability, wanted):
    told = json.load(open(path))
    p, n = float(probability), int(wanted)
    seen = told["outcomes"]["assertion"] / told["executions"]
    off = abs(seen - p) / math.sqrt(p * (1 - p) / n)
    print(f"{seen:.5f}, computed {p:.5f}, off by {off:.1f} standard deviations")
    sys.exit(told["executions"] != n or off > 5)


def svg(path, rows):
    ns = "{http://www.w3.org/2000/svg}"
    root = ET.parse(path).getroot()
    assert root.tag == ns + "svg"
    width, height = float(root.get("width")), float(root.get("height"))
    assert len([e for e in root.iter(ns + "text") if e.get("class") == "name"]) == int(rows)
    assert len([e for e in root.iter(ns + "line") if e.get("class") == "even"]) == int(rows)
    text = open(path).read()
    assert text.count("http") == 1 and "<script" not in text and "url(" not in text
    assert not re.search(r"\b(nan|inf)\b", text)
    for e in root.iter():
        for key in ("x", "x1", "x2"):
            assert 0 <= float(e.get(key, 0)) <= width, ET.tostring(e)
        for key in ("y", "y1", "y2"):
            assert 0 <= float(e.get(key, 0)) <= height, ET.tostring(e)
        for key in ("width", "height"):
            assert e is root or float(e.get(key, 0)) >= 0


globals()[sys.argv[1]](*sys.argv[2:])
