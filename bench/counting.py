"""Instructions per run, of the tool and of the program under test, as callgrind counts them.

Counts do not depend on what else the machine does.  Instructions that a side executes while it waits for the other
are left out: the functions that wait are known by name.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from harness import Wrong

WAITING = {"tsl_exec_await", "tsl_exec_collect", "child"}
BLOCKS = 500000  # counts are written after so many blocks, because the program's process is killed at the end
NAME = re.compile(r"(c?fn)=\((\d+)\)(?: (.*))?$")
COST = re.compile(r"(?:(?:\*|[+-]?\d+) )+(\d+)$")


def own_costs(path):
    """The side of the process, and a list of (function, instructions in the function itself)."""
    names, function, is_call, side, costs = {}, "", False, "program", []
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("cmd:"):
            side = "tool" if " test " in line else "program"
        elif match := NAME.match(line):
            if match[3]:
                names[match[2]] = match[3]
            if match[1] == "fn":
                function = names[match[2]].split("'")[0]
        elif line.startswith("calls="):
            is_call = True
        elif match := COST.match(line):
            if not is_call:
                costs.append((function, int(match[1])))
            is_call = False
    return side, costs


def stripped(source, to):
    """Strips debug information: callgrind of Debian 12 can't read that of clang-19."""
    subprocess.run(["strip", "--strip-debug", "-o", str(to), str(source)], check=True)


def per_run(tool, program, options):
    """Instructions per run: {"tool": ..., "program": ...}."""
    if not shutil.which("valgrind"):
        raise Wrong("valgrind is not installed")
    with tempfile.TemporaryDirectory(dir=tool.work) as name:
        here = pathlib.Path(name)
        os.makedirs(here / "bin")
        stripped(tool.teasel, here / "bin" / "teasel")
        stripped(program, here / "program")
        os.symlink(tool.teasel.parent.parent / "lib", here / "lib")
        words = ["valgrind", "--tool=callgrind", "--trace-children=yes", f"--dump-every-bb={BLOCKS}", "--log-file=/dev/null",
                 f"--callgrind-out-file={here}/counts.%p", here / "bin" / "teasel", "test", here / "program", "--json",
                 here / "answer.json", "--out", here / "out", "--quiet", *options]
        done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode not in (0, 1):
            raise Wrong(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}")
        runs = json.loads((here / "answer.json").read_text())["executions"]
        sums = {"tool": 0, "program": 0}
        for path in here.glob("counts.*"):
            side, costs = own_costs(path)
            sums[side] += sum(cost for function, cost in costs if function not in WAITING)
    return {side: total / runs for side, total in sums.items()}
