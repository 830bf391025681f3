"""Loads raw log lines into typed tables with `loggen validate` in Spark's executors and `load.sql` in Spark SQL.

There are two passes. The judge pipes each partition of raw lines through `loggen validate --stream`, and writes the
rows to a staging folder, one folder for each table. The load runs the statements of `loggen sql --dialect spark` on
them. Types, names and rules come from the definitions only.

From a shell, on any cluster:

    spark-submit loggen_spark.py --loggen ./loggen --definitions ./Definitions \\
        --lines s3a://logs/raw/2026-04-01/ --staging s3a://logs/staging/2026-04-01 --resume

From a notebook:

    from loggen_spark import Judge, ingest
    lines = spark.read.text("s3a://logs/raw/2026-04-01/", lineSep="\\n")
    counts = ingest(spark, lines, Judge("./loggen", "./Definitions"), "s3a://logs/staging/2026-04-01")

Needs Python 3.9, PySpark 4, and the version of pyarrow that PySpark's `mapInArrow` needs.
"""

import argparse
import atexit
import concurrent.futures
import contextlib
import hashlib
import io
import os
import pathlib
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from typing import Dict, Iterable, List, NamedTuple, Optional

from pyspark import cloudpickle

# The functions are pickled by value, so that executors do not need a copy of this file.
if __name__ != "__main__":
    cloudpickle.register_pickle_by_value(sys.modules[__name__])

BAD_RECORDS = "bad_records"
BATCH = 1 << 20  # The size in bytes of the rows that Spark receives at once.
HEAD, MIDDLE = b'{"table":"', b'","record":'  # The parts of a line of the judge: head, table, middle, row.


class LoggenError(Exception):
    """A failed step, with its partition and the executable's stderr."""


class Counts(NamedTuple):
    """The result of a run: the tables that received rows, the number of bad records, and the seconds of both passes."""

    tables: List[str]
    bad: int
    judged: float
    loaded: float


# MARK: In an executor


class _Feeder(threading.Thread):
    """Writes lines to the executable's stdin while its stdout is read. One batch is in memory."""

    def __init__(self, batches, stdin):
        super().__init__(daemon=True)
        self.batches, self.stdin = batches, stdin
        self.error = None  # an error of Spark while it provides lines
        self.refused = False  # the executable closed its stdin
        self.since = None  # when the feeder began to wait for the executable; None while it waits for Spark

    def run(self):
        try:
            for batch in self.batches:
                # Lines are bytes, so that a line that is not UTF-8 reaches the judge unchanged.
                lines = batch.column(0).cast("binary").to_pylist()
                text = b"\n".join(line for line in lines if line) + b"\n"
                self.since = time.monotonic()
                self.stdin.write(text)
                self.stdin.flush()
                self.since = None
        except BrokenPipeError:
            self.refused = True
        except BaseException as error:  # noqa: BLE001
            self.error = error
        with contextlib.suppress(BrokenPipeError):
            self.stdin.close()
        self.since = time.monotonic()


def _judged(batches, where, command, time_limit):
    """Yields the lines that a command prints for its input, in lists of about BATCH bytes."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            raise LoggenError(f"{where}: {command[0]} could not be started: {error.strerror}") from error

        def failure(text):
            errors.seek(max(0, errors.seek(0, os.SEEK_END) - 4000))
            said = errors.read().decode("utf-8", "replace").strip()
            return LoggenError(f"{where}: {os.path.basename(command[0])} {text}; stderr: {said or 'empty'}")

        feeder = _Feeder(batches, process.stdin)
        try:
            feeder.start()
            output, rest, size = process.stdout.fileno(), [], 0
            ready = selectors.DefaultSelector()
            ready.register(output, selectors.EVENT_READ)
            while True:
                waiting = time.monotonic()
                while not ready.select(min(1, time_limit)):
                    turn = feeder.since
                    if turn is not None and time.monotonic() - max(turn, waiting) >= time_limit:
                        raise failure(f"neither read nor wrote for {time_limit:g} s")
                part = os.read(output, BATCH)
                rest.append(part)
                size += len(part)
                if not part or size >= BATCH and b"\n" in part:
                    lines = b"".join(rest).split(b"\n")
                    rest = [lines.pop()]
                    size = len(rest[0])
                    if lines:
                        yield lines
                if not part:
                    break
            try:
                code = process.wait(time_limit)
            except subprocess.TimeoutExpired:
                raise failure(f"did not end {time_limit:g} s after its last line") from None
            if code < 0:
                raise failure(f"was killed by signal {-code} ({signal.Signals(-code).name})")
            if code > 0:
                raise failure(f"ended with exit code {code}")
            feeder.join()
            if feeder.error is not None:
                raise feeder.error
            if feeder.refused or rest[0]:
                raise failure("ended before it had read all lines")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def _row(line):
    """Returns the table and the row of a line of the judge: `{"table":"search__show","record":{…}}`."""
    end = line.index(b'"', len(HEAD))
    start = end + len(MIDDLE)
    if not line.startswith(HEAD) or line[end:start] != MIDDLE:
        raise ValueError
    # The row of a bad record is the whole line. The row of a valid one is its member `record`.
    return line[len(HEAD):end], line if line[start:start + 1] == b'"' else line[start:-1]


def _unzipped(data, folder):
    """Extracts a zip and returns the folder of the definitions. The zip may contain the folder or only its files."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
    entries = os.listdir(folder)
    inner = os.path.join(folder, entries[0]) if len(entries) == 1 else folder
    return inner if os.path.isdir(inner) else folder


class _Pipe:
    """Passes partitions through the judge. It is sent to the executors and includes the definitions."""

    def __init__(self, tool, definitions, options, time_limit):
        self.tool, self.definitions, self.options, self.time_limit = tool, definitions, options, time_limit

    def __call__(self, batches):
        import pyarrow
        from pyspark import SparkFiles, TaskContext

        context = TaskContext.get()
        where = f"partition {context.partitionId()}, attempt {context.attemptNumber()}"
        tool = SparkFiles.get(self.tool)
        if not os.path.isfile(tool):
            raise LoggenError(f"{where}: {self.tool} is missing: the executor has no file {tool}")
        with tempfile.TemporaryDirectory(prefix="loggen-") as folder:
            command = [tool, "validate", "--definitions", _unzipped(self.definitions, folder), *self.options]
            command += ["--stream", "--dialect", "spark", "--quiet", "-"]
            for lines in _judged(batches, where, command, self.time_limit):
                try:
                    rows = [_row(line) for line in lines]
                except ValueError:
                    raise LoggenError(
                        f"{where}: {self.tool} wrote a line that is not a row: {lines[0][:200]!r}") from None
                columns = [pyarrow.array(column, pyarrow.binary()).cast(pyarrow.string()) for column in zip(*rows)]
                yield pyarrow.RecordBatch.from_arrays(columns, ["table", "value"])


# MARK: In the driver


class Judge:
    """The executable and the definitions, with options for their use.

    tool: the executable for the executors' system. A path is a file of the driver, which Spark sends to the executors.
        A bare name is a file of `--files`.
    definitions: the folder with the Markdown files and loggen.lock, or a zip of it.
    tables: one table for each event, each category, or one in total (wide), as in `loggen sql --tables`.
    sql: a folder with tables.sql and load.sql, for a driver that cannot run the executable.
    time_limit: the seconds after which a task fails if the executable neither reads nor writes.
    """

    def __init__(self, tool, definitions, tables="event", sql=None, time_limit=600):
        self.tool, self.tables, self.sql, self.time_limit = str(tool), tables, sql and _local(sql), time_limit
        self.definitions = _zipped(_local(definitions))

    def statements(self, part: str) -> List[str]:
        """Returns the statements of a part of `loggen sql`: "tables" or "load"."""
        if self.sql is not None:
            file = self.sql / f"{part}.sql"
            if not file.is_file():
                raise LoggenError(f"{file} is missing: generate it with `loggen sql --dialect spark`")
            script = file.read_text(encoding="utf-8")
        else:
            with tempfile.TemporaryDirectory(prefix="loggen-") as folder:
                definitions = _unzipped(self.definitions, folder)
                command = [str(_local(self.tool).absolute()), "sql", definitions, "--dialect", "spark"]
                command += ["--tables", self.tables, "--part", part, "--quiet"]
                try:
                    result = subprocess.run(command, capture_output=True, encoding="utf-8")
                except OSError as error:
                    raise LoggenError(f"{command[0]} could not be started here: {error.strerror}") from error
            if result.returncode != 0:
                said = result.stderr.strip()[-4000:]
                raise LoggenError(f"{self.tool} sql ended with exit code {result.returncode}; stderr: {said}")
            script = result.stdout
        return [text for text in re.split(r";\n", script) if re.search(r"^(?!--|\s*$)", text, re.MULTILINE)]

    def pipe(self, spark) -> _Pipe:
        """Makes the executable available to the executors, and returns the function for partitions."""
        from pyspark import SparkFiles

        name = self.tool
        if os.sep in name or (os.path.exists(name) and not os.path.exists(SparkFiles.get(name))):
            name = _shipped(spark, _local(name))
        return _Pipe(name, self.definitions, ["--tables", self.tables], self.time_limit)


def _local(path) -> pathlib.Path:
    """Returns a file of the driver: a path, or the name of a file or an archive of `spark-submit`."""
    from pyspark import SparkFiles

    path = pathlib.Path(path)
    if path.exists() or path.is_absolute():
        found = path
    else:
        try:
            found = pathlib.Path(SparkFiles.get(str(path)))
        except Exception:  # noqa: BLE001 (there is no session yet)
            found = path
    if not found.exists():
        raise LoggenError(f"{path} does not exist")
    return found


def _zipped(path: pathlib.Path) -> bytes:
    if path.is_file():
        if not zipfile.is_zipfile(path):
            raise LoggenError(f"{path} is neither a folder nor a zip")
        return path.read_bytes()
    files = sorted(f for f in path.rglob("*") if f.suffix in (".md", ".lock", ".yml") and f.is_file())
    if not files:
        raise LoggenError(f"{path} has no definitions (*.md)")
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.relative_to(path))
    return data.getvalue()


_copies: Dict[str, str] = {}


def _shipped(spark, tool: pathlib.Path) -> str:
    """Adds the executable to Spark's files. Returns its name, which has a hash because Spark never replaces files."""
    data = tool.read_bytes()
    name = f"{tool.name}-{hashlib.sha256(data).hexdigest()[:16]}"
    # Executors fetch the file when they start, which may be late. Therefore it exists as long as the driver.
    if name not in _copies:
        folder = tempfile.mkdtemp(prefix="loggen-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        _copies[name] = os.path.join(folder, name)
        pathlib.Path(_copies[name]).write_bytes(data)
        os.chmod(_copies[name], 0o755)
    spark.sparkContext.addFile(_copies[name])
    return name


def judged(spark, lines, judge: Judge):
    """Returns a DataFrame with the columns `table` and `value` (the row as JSON) for one column of raw lines."""
    if len(lines.columns) != 1 or lines.dtypes[0][1] not in ("string", "binary"):
        raise LoggenError(f"raw lines must be one column of strings or binaries, not {lines.schema.simpleString()}")
    return lines.mapInArrow(judge.pipe(spark), "table string, value string")


class _Folder:
    """A folder on any file system that Spark can access."""

    def __init__(self, spark, path):
        jvm = spark.sparkContext._jvm
        if jvm is None:
            raise LoggenError("Spark Connect cannot access file systems: run this in the driver")
        self._path = jvm.org.apache.hadoop.fs.Path
        self.path = self._path(path)
        self._files = self.path.getFileSystem(spark._jsc.hadoopConfiguration())

    def has(self, name=None) -> bool:
        return self._files.exists(self._path(self.path, name) if name else self.path)

    def mark(self, name):
        self._files.create(self._path(self.path, name), True).close()

    def remove(self, name=None):
        path = self._path(self.path, name) if name else self.path
        if self._files.exists(path) and not self._files.delete(path, True):
            raise LoggenError(f"{path.toString()} could not be removed")

    def names(self) -> List[str]:
        return [status.getPath().getName() for status in self._files.listStatus(self.path)]


JUDGED, LOADED = "_JUDGED", "_LOADED"
# The names in a staging folder: tables, and the files of Hadoop's committers.
OF_STAGING = re.compile(
    r"table=.*|_JUDGED|_LOADED|_SUCCESS|_temporary|_committed_.*|_started_.*|\..*\.crc|\.spark-staging-.*")


def stage(spark, lines, judge: Judge, staging: str) -> None:
    """Judges raw lines once, and writes the rows to a new folder: `table=search__show/`, `table=bad_records/`, …"""
    folder = _Folder(spark, staging)
    if folder.has():
        raise LoggenError(f"{staging} exists: name a new folder for this run, or continue its run with --resume")
    try:
        # Without this hint, each task would write a small file for each table.
        rows = judged(spark, lines, judge).hint("rebalance", "table")
        rows.write.partitionBy("table").text(staging)
    except BaseException:
        with contextlib.suppress(Exception):
            folder.remove()
        raise
    folder.mark(JUDGED)


@contextlib.contextmanager
def _configured(spark, name, value):
    before = spark.conf.get(name, None)
    spark.conf.set(name, value)
    try:
        yield
    finally:
        if before is None:
            spark.conf.unset(name)
        else:
            spark.conf.set(name, before)


def load(spark, staging: str, statements: Iterable[str], jobs: int = 4) -> List[str]:
    """Appends the rows of a staging folder to their tables. Returns the names of these tables.

    Rows are removed from the folder once they are in their table. After a failure, the same call continues with the
    remaining rows.
    """
    folder = _Folder(spark, staging)
    if not folder.has(JUDGED):
        raise LoggenError(f"{staging} is not a staging folder with judged rows: run `stage` first")
    inserts = {}
    for statement in statements:
        table = re.search(r"^INSERT INTO `((?:[^`]|``)+)`", statement, re.MULTILINE)
        path = re.search(r"FROM text\.`(?:[^`]|``)*`(?=\) AS q\s*\Z)", statement)
        if not table or not path:
            raise LoggenError(f"this statement is not a load for Spark: {statement[:200]}")
        name = table[1].replace("``", "`")
        rows = f"{staging.rstrip('/')}/table={name}".replace("`", "``")
        inserts[name] = f"{statement[:path.start()]}FROM text.`{rows}`{statement[path.end():]}"
    tables = [name[len("table="):] for name in folder.names() if name.startswith("table=")]
    unknown = sorted(set(tables) - set(inserts))
    if unknown:
        names = ", ".join(unknown)
        raise LoggenError(
            f"load.sql has no statement for {names}: it was generated for other definitions or another --tables")

    def insert(table):
        spark.sql(inserts[table])
        folder.remove(f"table={table}")

    # Most of a small insert is work of the driver, so several at once keep the executors busy. A small insert is one
    # task.
    one_task = _configured(spark, "spark.sql.files.minPartitionNum", "1")
    with one_task, concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        done = {pool.submit(insert, table): table for table in tables}
        concurrent.futures.wait(done, return_when=concurrent.futures.FIRST_EXCEPTION)
        for future in done:
            future.cancel()
    failed = {done[f]: f.exception() for f in done if not f.cancelled() and f.exception()}
    if failed:
        left = ", ".join(sorted(done[f] for f in done if f.cancelled() or f.exception()))
        table, error = next(iter(failed.items()))
        raise LoggenError(f"{table} could not be loaded; {staging} keeps the rows of {left}: {error}") from error
    folder.mark(LOADED)
    return sorted(tables)


def ingest(spark, lines, judge: Judge, staging: str, resume: bool = False, jobs: int = 4) -> Counts:
    """Judges raw lines and appends them to typed tables and bad_records of the session's current database.

    With resume, an existing staging folder is a run to continue. A run that has ended loads nothing again.
    """
    # Both are generated before any line is judged, so that errors in the definitions appear early.
    tables, inserts = judge.statements("tables"), judge.statements("load")
    folder = _Folder(spark, staging)
    start = time.monotonic()
    if resume and folder.has(LOADED):
        return Counts([], 0, 0.0, 0.0)
    if not (resume and folder.has(JUDGED)):
        if resume and folder.has():
            others = [name for name in folder.names() if not OF_STAGING.fullmatch(name)]
            if others:
                raise LoggenError(f"{staging} is not a staging folder: it contains {', '.join(sorted(others)[:5])}")
            folder.remove()
        stage(spark, lines, judge, staging)
    staged = time.monotonic()
    has_bad = folder.has(f"table={BAD_RECORDS}")
    bad = spark.read.text(f"{staging}/table={BAD_RECORDS}").count() if has_bad else 0
    for statement in tables:
        spark.sql(statement)
    loaded = load(spark, staging, inserts, jobs)
    return Counts(loaded, bad, staged - start, time.monotonic() - staged)


# MARK: From a shell


def main(arguments: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="spark-submit loggen_spark.py",
        description="Judges raw log lines in Spark's executors, and appends them to typed tables and bad_records.",
        epilog="Exit codes: 0 everything is loaded, even if records are bad; 1 a step failed; 2 wrong usage.")
    parser.add_argument(
        "--loggen", required=True, metavar="FILE",
        help="the executable for the executors' system; a bare name is a file of --files")
    parser.add_argument(
        "--definitions", required=True, metavar="PATH",
        help="the folder of the definitions with loggen.lock, or a zip of it")
    parser.add_argument(
        "--lines", required=True, nargs="+", metavar="PATH",
        help="raw records, one per line: files, folders or patterns; files may be compressed")
    parser.add_argument(
        "--staging", required=True, metavar="FOLDER",
        help="a new folder for this run that all executors can access")
    parser.add_argument(
        "--resume", action="store_true",
        help="continue the run of the staging folder if it exists")
    parser.add_argument("--database", metavar="NAME", help="the database of the tables (that of the session)")
    parser.add_argument(
        "--tables", choices=["event", "category", "wide"], default="event",
        help="as in `loggen sql` (event)")
    parser.add_argument(
        "--sql", metavar="FOLDER",
        help="a folder with tables.sql and load.sql, for a driver that cannot run the executable")
    parser.add_argument(
        "--time-limit", type=float, default=600, metavar="SECONDS",
        help="the time without input or output after which the executable fails (600)")
    parser.add_argument(
        "--jobs", type=int, default=4, metavar="N", help="the maximum number of tables that are loaded at once (4)")
    given = parser.parse_args(arguments)
    if given.jobs < 1 or given.time_limit <= 0:
        parser.error("--jobs and --time-limit must be positive")

    from pyspark import SparkConf
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("loggen")
    if not SparkConf().contains("spark.sql.catalogImplementation"):
        # Without a persistent catalog, the tables could not be found after this session.
        builder = builder.enableHiveSupport()
    spark = builder.getOrCreate()
    try:
        if given.database:
            spark.catalog.setCurrentDatabase(given.database)
        judge = Judge(given.loggen, given.definitions, given.tables, given.sql, given.time_limit)
        lines = spark.read.text(given.lines, lineSep="\n").select("value")
        counts = ingest(spark, lines, judge, given.staging, given.resume, given.jobs)
    except (LoggenError, PySparkException) as error:
        print(f"loggen_spark: {_short(error)}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    if not counts.tables:
        print("loggen_spark: nothing to load")
        return 0
    print(f"loggen_spark: {len(counts.tables)} tables, {counts.bad} bad records; "
          f"judged in {counts.judged:.1f} s, loaded in {counts.loaded:.1f} s")
    return 0


def _short(error: Exception) -> str:
    """Returns the error of an executor without the surrounding stack traces."""
    text = str(error)
    found = re.findall(r"LoggenError: (.*?)(?=\n\s+at |\n SQLSTATE|\n\n|\Z)", text, re.DOTALL)
    return found[0].strip() if found else text.strip()


if __name__ == "__main__":
    sys.exit(main())
