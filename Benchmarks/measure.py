"""Runs commands and measures their cost."""
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


class Cost:
    """One run: wall time and processor time of all threads in seconds, peak memory in megabytes (10^6 bytes).

    The peak memory is never less than that of Python.
    """

    def __init__(self, wall, usage):
        self.wall = wall
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def run(command, accept=(0,)):
    """Runs a command and discards its output. Exits if the exit code is not accepted."""
    null = os.open(os.devnull, os.O_RDWR)
    redirections = [(os.POSIX_SPAWN_DUP2, null, descriptor) for descriptor in (0, 1, 2)]
    begin = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=redirections)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - begin
    os.close(null)
    code = os.waitstatus_to_exitcode(status)
    if code not in accept:
        sys.exit(f"{' '.join(command)}: exit code {code}, expected {' or '.join(map(str, accept))}")
    return Cost(wall, usage)


def pairs(floor, command, rounds):
    """Runs the floor and the command in turn, so that other work affects both. Omits the costs of the first pair."""
    return [(run(floor), run(command())) for _ in range(rounds + 1)][1:]


def median(values):
    return statistics.median(values)


def build_floor(folder):
    """Builds the C program `floor.c` with libcmark and returns its path."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libcmark"], check=True, capture_output=True, text=True).stdout.split()
    path = pathlib.Path(folder) / "floor"
    subprocess.run(["cc", "-O2", "-o", str(path), str(HERE / "floor.c"), *flags], check=True)
    return str(path)


def build_loggen(configuration):
    """Builds `loggen` from this clone and returns its path."""
    command = ["swift", "build", "--package-path", str(ROOT), "-c", configuration, "--product", "loggen"]
    subprocess.run([*command, "--quiet"], check=True)
    shown = subprocess.run([*command, "--show-bin-path"], check=True, capture_output=True, text=True)
    return str(pathlib.Path(shown.stdout.strip()) / "loggen")
