#!/usr/bin/env python3
"""Tests Integrations/spark in Spark: every record is in one table or in bad_records, even after retries of tasks.

usage: spark_integration.py LOGGEN [--records N] [--seed N] [--keep]

Exit codes: 0 no differences, 1 differences.
"""

import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
import zipfile

root = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(root / "Integrations/spark"))
os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
import warehouse  # noqa: E402
import warehouse_records as records_of  # noqa: E402
from warehouse import fail  # noqa: E402

import loggen_spark  # noqa: E402
from loggen_spark import Judge, LoggenError, ingest, load, stage  # noqa: E402

PROJECT = "# c\n\n## e\n\n| column | type |\n| --- | --- |\n| n | int |\n\n## f\n"


def session(folder):
    """Returns a session with two cores that tries each task up to four times."""
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").config("spark.driver.memory", "2g")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse")).config("spark.sql.session.timeZone", "Asia/Tokyo")
        .config("spark.sql.shuffle.partitions", "4").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    warehouse.Spark.session, warehouse.Spark.folder = made, folder
    return made


def write_lines(folder, records, files):
    """Writes records to a new folder of files, so that Spark has several partitions."""
    made = folder / f"lines-{uuid.uuid4().hex}"
    made.mkdir()
    for number in range(files):
        (made / f"{number}.ndjson").write_bytes(b"".join(record.encode() + b"\n" for record in records[number::files]))
    return made


def read(folder):
    return warehouse.Spark.session.read.text(str(folder), lineSep="\n")


def record(event, number, **changes):
    members = {
        "event_id": f"00000000-0000-4000-8000-{number:012x}", "event_category": "c", "event_name": event, "schema_version": "1-0-0",
        "occurred_at": "2026-04-01T12:34:56.789Z", **({"n": number} if event == "e" else {}), **changes,
    }
    return records_of.json.dumps(members)


def stand_in(folder, name, body):
    file = folder / name
    file.write_text("#!/bin/sh\n" + body + "\n")
    file.chmod(0o755)
    return file


def staging(folder):
    return str(folder / f"staging-{uuid.uuid4().hex}")


# MARK: Values


def check_values(folder, label, definitions, records, columns_of=lambda value: {}):
    """Compares every record with the comparison that other engines use."""
    expected = warehouse.verdicts(definitions, records, folder)
    kinds = warehouse.kinds_of(definitions)
    for index, text in enumerate(records):
        if text.strip(" \t\r\n") and not expected[index]:
            expected[index] = warehouse.unstorable(text, kinds, "spark")
    engine = warehouse.Spark(folder)
    spark = warehouse.Spark.session
    judge, staged = Judge(options.loggen, definitions), staging(folder)
    lines = read(write_lines(folder, records, 5)).repartition(3)
    # A run that was killed while judging starts again.
    os.makedirs(staged + "/_temporary/0")
    counts = ingest(spark, lines, judge, staged, resume=True)
    good, bad, blank = warehouse.compare_loaded(engine, records, expected, columns_of)
    if good + bad + blank != len(records) or bad != counts.bad or not good or not bad:
        fail(f"{label}: {len(records)} records, of which {good} are good, {bad} bad (counted: {counts.bad}) and {blank} blank")
    # Repeating the run loads nothing. Another run refuses its staging folder.
    if ingest(spark, lines, judge, staged, resume=True).tables:
        fail(f"{label}: a run that had ended was loaded again")
    refused(f"{label}: a staging folder that exists", "exists", lambda: ingest(spark, lines, judge, staged))
    warehouse.compare_loaded(engine, records, expected, columns_of)
    engine.close()
    print(f"{label}: {len(records)} records, {good} in {len(counts.tables)} tables, {bad} bad", flush=True)


def check_lines(folder, definitions):
    """Tests lines that are null, blank, empty, not UTF-8, or longer than a batch; and no lines at all."""
    engine, spark = warehouse.Spark(folder), warehouse.Spark.session
    judge = Judge(options.loggen, definitions)
    if ingest(spark, spark.createDataFrame([], "value string"), judge, staging(folder)).tables:
        fail("tables were loaded of no lines")
    long = record("e", 1)[:-1] + " " * (3 << 20) + "}"
    given = [None, "", " \t", record("e", 2), long, '{"x"', "検" * (1 << 20), record("f", 3) + "\n" + record("f", 4)]
    texts = spark.createDataFrame([(line,) for line in given], "value string").repartition(2)
    bytes_of = spark.createDataFrame([(bytearray(b"\xff{}"),), (bytearray(record("e", 5).encode()),)], "value binary")
    ingest(spark, texts, judge, staging(folder))
    ingest(spark, bytes_of, judge, staging(folder))
    # A partition whose first line looks like an array.
    ingest(spark, spark.createDataFrame([("[INFO] started",), (record("e", 6),)], "value string").coalesce(1), judge, staging(folder))
    found = [int(engine.rows(f"SELECT count(*) AS n FROM {table}")[0]["n"]) for table in ("c__e", "c__f", "bad_records")]
    if found != [4, 2, 4]:
        fail(f"special lines: {found} rows in c__e, c__f and bad_records, not [4, 2, 4]")
    precious = folder / "precious"
    precious.mkdir()
    (precious / "_data").write_text("1")
    refused("a staging folder of others", "is not a staging folder",
            lambda: ingest(spark, texts, judge, str(precious), resume=True))
    if not (precious / "_data").exists():
        fail("a folder of others was removed")
    refused("two columns", "one column", lambda: ingest(spark, spark.sql("SELECT 'a' AS a, 'b' AS b"), judge, staging(folder)))
    engine.close()
    print("special lines are judged", flush=True)


# MARK: Failures


def refused(label, wanted, call):
    """Checks that a call fails and that its error contains all wanted texts."""
    start = time.monotonic()
    try:
        call()
    except Exception as error:  # noqa: BLE001
        text = loggen_spark._short(error)
        for part in [wanted] if isinstance(wanted, str) else wanted:
            if part not in text:
                fail(f"{label}: the error has no {part!r}: {text[:1500]}")
        print(f"{label}: {text[:160]!r} after {time.monotonic() - start:.1f} s", flush=True)
    else:
        fail(f"{label}: no error")


def check_failures(folder, definitions):
    spark = warehouse.Spark.session
    lines = read(write_lines(folder, [record("e", number) for number in range(20000)], 2))

    def staged(label, tool, *wanted, time_limit=60):
        place = staging(folder)
        refused(label, ["partition ", *wanted], lambda: stage(spark, lines, Judge(tool, definitions, time_limit=time_limit), place))
        if os.path.exists(place):
            fail(f"{label}: the staging folder is left")

    staged("no executable in the executors", "no-such-loggen", "no-such-loggen is missing")
    (folder / "text").write_bytes(b"\x7fELF")
    staged("another system's executable", folder / "text", "could not be started")
    staged("exit code 3", stand_in(folder, "three", "head -n 100 >/dev/null; echo out of order >&2; exit 3"), "exit code 3", "out of order")
    staged("SIGKILL", stand_in(folder, "killed", "head -n 100 >/dev/null; kill -KILL $$"), "SIGKILL")
    staged("too early an end", stand_in(folder, "early", "head -n 100 >/dev/null"), "before it had read all lines")
    staged("other output", stand_in(folder, "other", "cat"), "is not a row")
    staged("a tool that hangs", stand_in(folder, "hanging", "exec sleep 100"), "neither read nor wrote for 1 s", time_limit=1)
    staged("a tool that does not end", stand_in(folder, "lasting", "cat >/dev/null; exec >&-; exec sleep 100"), "did not end 1 s", time_limit=1)
    refused("no executable in the driver", "does not exist",
            lambda: ingest(spark, lines, Judge("/no/such/loggen", definitions), staging(folder)))
    refused("no definitions", "does not exist", lambda: Judge(options.loggen, folder / "none"))
    broken = folder / "broken"
    broken.mkdir()
    (broken / "c.md").write_text("# c\n\n## e\n\n| column | type |\n| --- | --- |\n| n | nothing |\n")
    refused("definitions with errors", "exit code", lambda: ingest(spark, lines, Judge(options.loggen, broken), staging(folder)))


def check_retries(folder, definitions):
    """Tests a task that fails after it wrote rows, and a load that fails between tables: each row is loaded once."""
    spark, engine = warehouse.Spark.session, warehouse.Spark(folder)
    marker = folder / "failed-once"
    flaky = stand_in(
        folder, "flaky", f'if [ "$1" = validate ] && mkdir "{marker}" 2>/dev/null; then head -n 5000 | "{options.loggen}" "$@"; exit 3; fi\nexec "{options.loggen}" "$@"')
    records = [record("e" if number % 2 else "f", number) for number in range(20000)] + ["bad"] * 10
    judge, place = Judge(flaky, definitions), staging(folder)
    for statement in judge.statements("tables"):
        engine.run(statement)
    stage(spark, read(write_lines(folder, records, 3)), judge, place)
    if not marker.is_dir():
        fail("no task failed at its first attempt")
    inserts = judge.statements("load")
    broken = [re.sub(r"SELECT r\.`event_id`", "SELECT raise_error('broken here')", text) if "`c__f`" in text else text for text in inserts]
    refused("an insert that fails", ["c__f could not be loaded", "broken here"], lambda: load(spark, place, broken, jobs=1))
    refused("a load without a table", "no statement for c__f", lambda: load(spark, place, [text for text in inserts if "`c__f`" not in text]))
    load(spark, place, inserts)
    for table, wanted in {"c__e": 10000, "c__f": 10000}.items():
        row = engine.rows(f"SELECT count(*) AS n, count(DISTINCT event_id) AS ids FROM {table}")[0]
        if (int(row["n"]), int(row["ids"])) != (wanted, wanted):
            fail(f"after retries {table} has {row}, not {wanted} rows")
    if len(engine.rows("SELECT * FROM bad_records")) != 10:
        fail("after retries bad_records has not 10 rows")
    engine.close()
    print("a failed task and a failed load are repaired: each row exists once", flush=True)


# MARK: Commands


def check_commands(folder, definitions):
    """Runs the commands of Integrations/spark/README.md unchanged, with smaller lines."""
    import pyspark

    place = folder / "commands"
    place.mkdir()
    shutil.copytree(definitions, place / "Definitions")
    shutil.copy(options.loggen, place / "loggen")
    shutil.copy(root / "Integrations/spark/loggen_spark.py", place)
    (place / "raw").mkdir()
    for number in range(3):
        (place / f"raw/{number}.ndjson").write_text("".join(record("ef"[i % 2], i) + "\n" for i in range(number, 3000, 3)) + "bad\n")
    blocks = re.findall(r"^```sh\n(.*?)^```$", (root / "Integrations/spark/README.md").read_text(), re.MULTILINE | re.DOTALL)
    run = [block for block in blocks if "local[" in block or "local-cluster[" in block]
    if len(run) != 2:
        fail(f"README.md has {len(run)} commands for this machine, not 2")
    home = pathlib.Path(pyspark.__file__).parent
    environment = {**os.environ, "PATH": f"{home}/bin:{os.environ['PATH']}", "SPARK_HOME": str(home)}
    with zipfile.ZipFile(place / "Definitions.zip", "w") as archive:
        for file in (place / "Definitions").iterdir():
            archive.write(file, file.relative_to(place))
    for command in run:
        for name in ["staging", "spark-warehouse", "metastore_db"]:
            shutil.rmtree(place / name, ignore_errors=True)
        label = re.search(r"local[\w-]*\[[\d,]+\]", command)[0]
        result = subprocess.run(["sh", "-ec", command], cwd=place, env=environment, capture_output=True, encoding="utf-8", timeout=500)
        if result.returncode != 0 or "3 tables, 3 bad records" not in result.stdout:
            fail(f"{label}: exit code {result.returncode}\n{result.stdout}\n{result.stderr[-1500:]}")
            continue
        for table, wanted in {"c__e": 1500, "c__f": 1500, "bad_records": 3}.items():
            found = warehouse.Spark.session.read.parquet(str(place / "spark-warehouse" / table)).count()
            if found != wanted:
                fail(f"{label}: {table} has {found} rows, not {wanted}")
        print(f"{label}: {result.stdout.splitlines()[-1]}", flush=True)
    command = [sys.executable, "loggen_spark.py"]
    for label, words, code, wanted in [
        ("--help", ["--help"], 0, "--staging"), ("no options", [], 2, "required"),
        ("no lines there", ["--loggen", "./loggen", "--definitions", "Definitions", "--lines", "nowhere", "--staging", "s"], 1, "loggen_spark: [PATH_NOT_FOUND]"),
    ]:
        result = subprocess.run([*command, *words], cwd=place, capture_output=True, encoding="utf-8", timeout=500)
        if result.returncode != code or wanted not in result.stdout + result.stderr or "Traceback" in result.stderr:
            fail(f"{label}: exit code {result.returncode}\n{(result.stdout + result.stderr)[-1500:]}")
    print("errors of the command have their exit codes", flush=True)


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="loggen-spark."))
    try:
        session(folder)
        project = folder / "project"
        project.mkdir()
        (project / "c.md").write_text(PROJECT)
        warehouse.loggen("lock", "--accept", project)
        probe = folder / "probe"
        records_of.write_probe(probe)
        chance = random.Random(options.seed)
        check_values(folder, "probe", probe, records_of.probe(chance, options.records), records_of.columns_of_probe)
        model = records_of.json.loads(warehouse.loggen("dump", root / "Definitions"))
        check_values(folder, "sample", root / "Definitions", records_of.sample(chance, model, max(200, options.records // 4)))
        check_lines(folder, project)
        check_failures(folder, project)
        check_retries(folder, project)
        check_commands(folder, project)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if warehouse.problems:
        print(f"{len(warehouse.problems)} problems")
    return 1 if warehouse.problems else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("loggen", help="the executable")
    parser.add_argument("--records", type=int, default=1000, help="the number of records of each set (1000)")
    parser.add_argument("--seed", type=int, default=18, help="the seed of the records (18)")
    parser.add_argument("--keep", action="store_true", help="keep the files")
    options = parser.parse_args()
    options.loggen = str(pathlib.Path(options.loggen).resolve())
    warehouse.options = options
    sys.exit(main())
