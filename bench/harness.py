"""What the benchmark scripts share: running the tool, the yardstick, tables."""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
PATIENCE = 120  # limit in seconds for one campaign; its verdict says if the limit was reached


class Wrong(Exception):
    """A count is not what it must be, or something could not be measured at all."""


Result = collections.namedtuple("Result", "told status seconds cpu tool_kib program_kib")


def peak_kib(pid):
    """Peak resident size of a process so far; 0 if the process is gone."""
    try:
        match = re.search(r"^VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.M)
    except OSError:
        return 0
    return int(match.group(1)) if match else 0


def below(pid):
    """The descendants of a process."""
    try:
        own = [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
    return own + [other for child in own for other in below(child)]


class Tool:
    def __init__(self, folder, work):
        self.teasel, self.cc = folder / "bin" / "teasel", folder / "bin" / "teasel-cc"
        self.work, self.built = work, {}
        help_text = self.call(self.teasel, "test", "--help")
        self.has_order = "--order" in help_text
        table = help_text.partition("\nStrategies")[2].partition("\n\n")[0]
        self.strategies = {line.split()[0] for line in table.splitlines()[1:]}

    @staticmethod
    def call(*words):
        done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True)
        if done.returncode:
            said = done.stderr.decode(errors="replace")
            raise Wrong(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{said}")
        return done.stdout.decode()

    def build(self, name, size):
        flags = (f"-D{letter}={value}" for letter, value in zip("NM", size))
        return self.compile(PROGRAMS / f"{name}.c", "_".join([name, *map(str, size)]), *flags)

    def compile(self, source, name, *flags):
        """The program, compiled once under this name."""
        if name not in self.built:
            self.call(self.cc, "-O2", *flags, source, "-o", self.work / name)
            self.built[name] = self.work / name
        return self.built[name]

    def test(self, program, strategy, runs, *options, **more):
        """A campaign that goes on after bugs."""
        return self.campaign(program, "--strategy", strategy, "--runs", runs, "--seconds", PATIENCE, "--keep-going",
                             *options, **more)

    def campaign(self, program, *options, args=(), watch=False):
        """Runs a campaign; watch: samples its memory meanwhile.  Several campaigns may run at a time."""
        with tempfile.TemporaryDirectory(dir=self.work) as here:
            return self.campaign_in(pathlib.Path(here), program, options, args, watch)

    def campaign_in(self, here, program, options, args, watch):
        answer = here / "answer.json"
        words = [self.teasel, "test", program, "--json", answer, "--out", here / "out", "--quiet", *options]
        begun = time.monotonic()
        with open(here / "said.txt", "wb") as said:
            child = subprocess.Popen([str(w) for w in words] + (["--", *args] if args else []), cwd=here,
                                     stdin=subprocess.DEVNULL, stdout=said, stderr=said)
            tool_kib = program_kib = 0
            while watch and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                tool_kib = max(tool_kib, peak_kib(child.pid))
                program_kib = max([program_kib, *map(peak_kib, below(child.pid))])
                time.sleep(0.01)
            _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 1, 3) or not answer.is_file():
            said = (here / "said.txt").read_text(errors="replace").strip()
            raise Wrong(f"exit code {child.returncode}: {said[-500:]}")
        return Result(json.loads(answer.read_text()), child.returncode, time.monotonic() - begun,
                      usage.ru_utime + usage.ru_stime, tool_kib, program_kib)


class Report:
    def __init__(self, name):
        self.name, self.wrong = name, 0

    def failure(self, what, error):
        self.wrong += 1
        print(f"{self.name}: {what}: {error}", file=sys.stderr, flush=True)

    @staticmethod
    def table(title, head, rows):
        lines = [head, *rows]
        width = [max(len(line[i]) for line in lines) for i in range(len(head))]
        print(f"\n{title}\n")
        for at, line in enumerate(lines):
            cells = [c.ljust(width[i]) if i == 0 else c.rjust(width[i]) for i, c in enumerate(line)]
            print("  ".join(cells).rstrip())
            if at == 0:
                print("  ".join("-" * w for w in width))
        sys.stdout.flush()

    def guarded(self, what, make):
        try:
            return make()
        except Wrong as error:
            self.failure(what, error)
            return "WRONG"


def yardstick(tool):
    program = tool.work / "yardstick"
    if not program.exists():
        tool.call("cc", "-O2", HERE / "yardstick.c", "-o", program)
    return float(tool.call(program, "0.3"))


def thousands(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"
