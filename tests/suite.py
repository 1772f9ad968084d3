"""What do the suites in Python share?  Points of TAP, compiling, and campaigns.

A suite in tests/NAME begins with

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
    from suite import ROOT, Tap, campaign, compiled
"""

import concurrent.futures
import contextlib
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[1]
TEASEL, TEASEL_CC = ROOT / "bin" / "teasel", ROOT / "bin" / "teasel-cc"


class Failed(Exception):
    """A command did not do what it should; the text is what it said."""


class Tap:
    """Prints points, counts them, and prints the plan at the end."""

    def __init__(self):
        self.count = self.failed = 0

    def point(self, good, name, *why):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}", flush=True)
        for text in () if good else why:
            for line in str(text).splitlines()[:200]:
                print(f"#   {line}")

    def check(self, name, test, *args):
        """A point that is good unless the test raises Failed."""
        why = []
        try:
            test(*args)
        except Failed as error:
            why.append(error)
        self.point(not why, name, *why)

    def check_all(self, jobs, tests):
        """The same for many tests (name, test, *args), several at a time; the points stay in this order."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for name, running in [(name, pool.submit(test, *args)) for name, test, *args in tests]:
                self.check(name, running.result)

    def end(self):
        """The exit code of the suite."""
        print(f"1..{self.count}")
        return 1 if self.failed else 0


def module(path):
    """A script as a module, whatever its name ends in."""
    loader = importlib.machinery.SourceFileLoader(path.stem.replace("-", "_"), str(path))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(made)
    return made


@contextlib.contextmanager
def work_folder():
    with tempfile.TemporaryDirectory(prefix="teasel-tests.") as name:
        yield pathlib.Path(name)


def call(*words, timeout=120, **more):
    """Output is text, and standard input is empty; Failed if there is no end to it."""
    words = [str(word) for word in words]
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=timeout, **more)
    except subprocess.TimeoutExpired:
        raise Failed(f"no end after {timeout} seconds: {' '.join(words)}") from None


def compiled(program, source, *flags):
    """The program that teasel-cc makes of a file, or of the text of one."""
    if isinstance(source, str):
        program.with_suffix(".c").write_text(source)
        source = program.with_suffix(".c")
    done = call(TEASEL_CC, "-o", program, source, *flags, cwd=program.parent)
    if done.returncode:
        raise Failed(f"it does not compile: {done.stderr}")
    return program


def campaign(program, *options, args=(), codes=(0, 1, 3), timeout=120):
    """What --json says of a campaign, and the exit code; Failed if there is no JSON or the exit code is not one of these."""
    with work_folder() as here:
        answer = here / "answer.json"
        words = [TEASEL, "test", "--json", answer, "--out", here / "out", "-q", *options, program]
        done = call(*words, *(["--", *args] if args else []), timeout=timeout, cwd=here)
        if done.returncode not in codes or not answer.is_file():
            raise Failed(f"exit code {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")
        told = json.loads(answer.read_text())
        told["exit_code"] = done.returncode
        return told
