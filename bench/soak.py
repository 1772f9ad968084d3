"""Do memory and descriptors of a process grow over many runs?

    soak(command, runs, early)  ->  Soak

Runs `teasel test` and measures the process that executes the runs (the youngest descendant) every few
milliseconds.  The time of a measurement is converted into a number of runs by the rate of the campaign.
Used by bench/run and tests/e2e/soak.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time


class Soak:
    """What was seen: `early` and `late` are (runs so far, resident KiB, open descriptors)."""

    def __init__(self):
        self.executions, self.restarts, self.rate = 0, 0, 0.0
        self.workers = 0  # different processes seen after the early measurement
        self.early = self.late = None
        self.problem = None

    def growth(self):
        return self.late[1] - self.early[1], self.late[2] - self.early[2]


def children(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def worker_below(pid):
    """The tool starts a server, the server forks the worker."""
    for server in children(pid):
        workers = children(server)
        if workers:
            return workers[-1]
    return None


def look(pid):
    """Resident KiB and number of open descriptors, or None if the process is gone."""
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]), len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        pass
    return None


def measure(tool):
    """(time, worker, KiB, descriptors) until the tool ends."""
    out = []
    while tool.poll() is None:
        worker = worker_below(tool.pid)
        seen = look(worker) if worker else None
        if seen:
            out.append((time.monotonic(), worker, *seen))
        time.sleep(0.01)
    return out


def soak(command, runs, early):
    result = Soak()
    with tempfile.TemporaryDirectory() as work:
        answer = pathlib.Path(work) / "answer.json"
        words = [*command, "--runs", str(runs), "--json", str(answer), "--out", work, "--quiet"]
        tool = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        seen = measure(tool)
        if not answer.is_file():
            result.problem = f"exit code {tool.returncode}: {tool.stderr.read().decode(errors='replace').strip()}"
            return result
        told = json.loads(answer.read_text())
    if told["mode"] != "in-place":
        result.problem = f"fell back to mode '{told['mode']}': one process per run"
        return result
    result.executions, result.restarts = told["executions"], told["restarts"]
    result.rate = told["executions_per_second"]
    # The check before a campaign has processes of its own, for a moment.
    first = next((when for when, worker, _, _ in seen if worker == seen[-1][1]), 0)
    begun = max(first, seen[-1][0] - result.executions / result.rate) if seen else 0
    at = [(round((when - begun) * result.rate), worker, kib, fds) for when, worker, kib, fds in seen]
    result.workers = len({worker for run, worker, _, _ in at if run >= early})
    past = [(run, kib, fds) for run, _, kib, fds in at if run >= early]
    if len(past) < 2:
        result.problem = f"the campaign was over before it could be looked at twice after run {early}"
        return result
    # A descriptor may be open because a run is using it, so the least of several measurements counts.
    tenth = max(2, len(past) // 10)
    result.early = typical(past[:tenth])
    result.late = typical(past[-tenth:])
    return result


def typical(measured):
    """The run of the first measurement, the median resident size, and the least number of descriptors."""
    sizes = sorted(kib for _, kib, _ in measured)
    return measured[0][0], sizes[len(sizes) // 2], min(fds for _, _, fds in measured)
