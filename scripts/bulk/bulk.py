#!/usr/bin/env python3
"""Much text by many workers: shards in, shards out, nothing lost and nothing twice.

    bulk.py split DIR [--kind K] [--shard-bytes N | --shards N] IN... -- COMMAND...
    bulk.py work DIR [--worker I --of N]    any number of these, anywhere, again and again
    bulk.py run DIR SHARD...                just these
    bulk.py status DIR
    bulk.py verify DIR                      every shard is there, and is what was written
    bulk.py join DIR [-o OUT]               one output, as one process would have written it

DIR is seen by all workers (a shared file system, or one machine):

    job.json          what is run, and every shard with its size, units and SHA-256
    in/NAME           the shards of the input
    out/NAME          their outputs, each there as a whole or not at all
    done/NAME.json    which output belongs to which input, with checksums: the shard is done

An output is written under another name, brought to disk, and renamed; then its record, likewise. So a
worker may die at any moment, and a shard may be worked on twice: the same bytes take the place of the
same bytes. A worker that starts looks for what is not done; there is no queue and nobody in charge.

COMMAND is a filter, such as `copse parse -q --threads 2`: a shard on its standard input, text on its
standard output, exit code 0. It must give the same output for the same input.

Kinds of input, and what is never cut in two:
    text        raw text: paragraphs, which end at empty lines
    lines       lines
    conllu      sentences, which end at empty lines
    documents   what begins at a line that starts with --mark
COMMAND starts to count with each shard. For text and lines, whose sentences it numbers itself, joining
makes the numbers those of the whole: `# sent_id`, TokenRange, and one `# newdoc` at the beginning.

Needs Python 3.9 and nothing else.
"""
import argparse
import contextlib
import hashlib
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time

PIECE = 1 << 20
NUMBER = re.compile(rb"^# sent_id = (\d+)$")
PLACE = re.compile(rb"\bTokenRange=(\d+):(\d+)")
KINDS = ("text", "lines", "conllu", "documents")


class Failure(Exception):
    """What a user can mend; said in one sentence."""


# Files that are there as a whole or not at all.

def checksum(path):
    total = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            total.update(piece)
    return total.hexdigest()


@contextlib.contextmanager
def replacing(path):
    """A file to write to that takes the place of `path` at the end; after an error, nothing does."""
    own = f"{socket.gethostname()}.{os.getpid()}.{time.monotonic_ns()}"
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{own}.tmp")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def write_json(path, value):
    with replacing(path) as file:
        file.write(json.dumps(value, indent=1).encode() + b"\n")


def read_json(path):
    try:
        with open(path, "rb") as file:
            return json.load(file)
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise Failure(f"{path}: {error}") from error


class Job:
    """A directory as described above."""

    def __init__(self, directory):
        self.directory = directory
        found = read_json(self.path("job.json"))
        if found is None:
            raise Failure(f"{self.path('job.json')} is not there: 'bulk.py split' makes it")
        self.command = found["command"]
        self.kind = found["kind"]
        self.shards = {shard["name"]: shard for shard in found["shards"]}

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def record(self, name):
        """Of a shard that is done, else None."""
        record = read_json(self.path("done", name + ".json"))
        if record is None or record["input"] != self.shards[name]["sha256"]:
            return None
        try:
            if os.path.getsize(self.path("out", name)) != record["bytes"]:
                return None
        except FileNotFoundError:
            return None
        return record

    def left(self):
        return [name for name in self.shards if self.record(name) is None]

    def run(self, name):
        """Does a shard unless it is done. Returns its record."""
        record = self.record(name)
        if record is not None:
            return record
        source = self.path("in", name)
        if checksum(source) != self.shards[name]["sha256"]:
            raise Failure(f"{source} is not what was split: its checksum differs")
        start = time.monotonic()
        target = self.path("out", name)
        with open(source, "rb") as shard, replacing(target) as output:
            code = subprocess.run(self.command, stdin=shard, stdout=output, check=False).returncode
            if code != 0:
                raise Failure(f"shard {name}: '{shlex.join(self.command)}' ended with {code}")
            output.flush()
            found = checksum(output.name)
            size = os.path.getsize(output.name)
            before = self.record(name)
            if before is not None and before["sha256"] != found:
                raise Failure(f"shard {name} came out in two ways: the command must give the same "
                              "output for the same input")
        record = {"input": self.shards[name]["sha256"], "sha256": found, "bytes": size,
                  "seconds": round(time.monotonic() - start, 3), "host": socket.gethostname()}
        write_json(self.path("done", name + ".json"), record)
        return record


# Splitting

def units_of(lines, kind, mark):
    """Lists of lines. Empty lines belong to what they end."""
    if kind == "lines":
        for line in lines:
            yield [line]
        return
    gathered, ended = [], False
    for line in lines:
        begins = line.startswith(mark) if kind == "documents" else ended and bool(line.strip())
        if begins and gathered:
            yield gathered
            gathered = []
        gathered.append(line)
        ended = not line.strip()
    if gathered:
        yield gathered


def lines_of(paths):
    for path in paths:
        if path == "-":
            yield from sys.stdin.buffer
            continue
        last = b"\n"
        with open_plain(path) as file:
            for last in file:
                yield last
        if not last.endswith(b"\n"):
            yield b"\n"  # files do not run into each other


def open_plain(path):
    if path.endswith(".gz"):
        import gzip
        return gzip.open(path, "rb")
    return open(path, "rb")


def split(directory, paths, command, kind="text", mark=b"# newdoc", shard_bytes=4 << 20):
    """Writes the shards and then, when all are there, the job."""
    for part in ("in", "out", "done"):
        os.makedirs(os.path.join(directory, part), exist_ok=True)
    target = os.path.join(directory, "job.json")
    if os.path.exists(target):
        raise Failure(f"{target} is there: take another directory, or go on with 'bulk.py work'")
    shards, held, size, count, total, goal = [], [], 0, 0, 0, shard_bytes

    def write():
        nonlocal held, size, count
        name = f"{len(shards):06d}"
        data = b"".join(held)
        with replacing(os.path.join(directory, "in", name)) as file:
            file.write(data)
        shards.append({"name": name, "bytes": size, "units": count,
                       "characters": len(data.decode(errors="replace")),
                       "sha256": hashlib.sha256(data).hexdigest()})
        held, size, count = [], 0, 0

    for lines in units_of(lines_of(paths), kind, mark):
        text = b"".join(lines)
        held.append(text)
        size += len(text)
        total += len(text)
        count += 1
        if total >= goal:
            write()
            goal += shard_bytes * (1 + (total - goal) // shard_bytes)  # what is too much adds up to nothing
    if held:
        write()
    write_json(target, {"command": command, "kind": kind, "shards": shards})
    return len(shards)


# Working, looking, joining

def place_in_launch():
    """Which of how many, as Slurm and launchers of MPI programs tell it."""
    for rank, size in (("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"),
                       ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                       ("PMI_RANK", "PMI_SIZE"), ("SLURM_PROCID", "SLURM_NTASKS")):
        if rank in os.environ and size in os.environ:
            first = int(os.environ.get("SLURM_ARRAY_TASK_MIN", 0)) if "ARRAY" in rank else 0
            return int(os.environ[rank]) - first, int(os.environ[size])
    return 0, 1


def work(job, worker, of, tries=3):
    """Its own shards first, then those that others have left. Returns the names that failed."""
    names = list(job.shards)
    own = names[worker::of]
    others = [name for name in reversed(names) if name not in set(own)]
    failed = {}
    for name in own + others:
        for attempt in range(tries):
            try:
                job.run(name)
                failed.pop(name, None)
                break
            except Failure as error:
                failed[name] = str(error)
                time.sleep(0.1 * attempt)
    for text in failed.values():
        print(f"bulk.py: {text}", file=sys.stderr)
    return failed


def verify(job):
    """What is wrong, in sentences."""
    faults = []
    for name, shard in job.shards.items():
        record = job.record(name)
        if record is None:
            faults.append(f"shard {name} is not done")
            continue
        for part, expected in (("in", shard["sha256"]), ("out", record["sha256"])):
            if checksum(job.path(part, name)) != expected:
                faults.append(f"{job.path(part, name)} is not what was written: its checksum differs")
    strange = set(os.listdir(job.path("out"))) - set(job.shards)
    faults += [f"{job.path('out', name)} belongs to no shard" for name in sorted(strange)
               if not name.startswith(".")]
    return faults


class Counts:
    """Numbers of the whole, from those of the shards, which begin anew each time."""

    def __init__(self):
        self.sentences = self.characters = 0

    def adapted(self, lines, first):
        """The lines of a shard's output. `first`: it is the first one."""
        here = 0
        for number, line in enumerate(lines):
            if number == 0 and not first and line == b"# newdoc\n":
                continue
            if line.startswith(b"#"):
                match = NUMBER.match(line.rstrip(b"\n"))
                if match and int(match[1]) == here + 1:
                    here += 1
                    line = b"# sent_id = %d\n" % (self.sentences + here)
            elif self.characters and b"TokenRange=" in line:
                line = PLACE.sub(self.shifted, line)
            yield line
        self.sentences += here

    def shifted(self, match):
        begin, end = (int(match[k]) + self.characters for k in (1, 2))
        return b"TokenRange=%d:%d" % (begin, end)


def join(job, output):
    left = job.left()
    if left:
        raise Failure(f"{len(left)} of {len(job.shards)} shards are not done, the first {left[0]}")
    counts = Counts()
    for index, (name, shard) in enumerate(job.shards.items()):
        total = hashlib.sha256()
        with open(job.path("out", name), "rb") as file:
            def heard(lines):
                for line in lines:
                    total.update(line)
                    yield line
            lines = heard(file)
            if job.kind in ("text", "lines"):
                lines = counts.adapted(lines, index == 0)
            output.writelines(lines)
        counts.characters += shard["characters"]
        if total.hexdigest() != job.record(name)["sha256"]:
            raise Failure(f"{job.path('out', name)} is not what was written: its checksum differs")


# The command line

def arguments(words):
    program = argparse.ArgumentParser(prog="bulk.py", description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = program.add_subparsers(dest="action", required=True)
    add = commands.add_parser("split")
    add.add_argument("--kind", choices=KINDS, default="text")
    add.add_argument("--mark", default="# newdoc", help="documents: how their first line begins")
    add.add_argument("--shard-bytes", type=int, default=4 << 20)
    add.add_argument("--shards", type=int, help="about so many; needs files, not a stream")
    add.add_argument("dir")
    add.add_argument("paths", nargs="+", metavar="IN")
    for name in ("work", "run", "status", "verify", "join"):
        add = commands.add_parser(name)
        add.add_argument("dir")
        if name == "work":
            add.add_argument("--worker", type=int)
            add.add_argument("--of", type=int)
        if name == "run":
            add.add_argument("names", nargs="+", metavar="SHARD")
        if name == "join":
            add.add_argument("-o", "--output", default="-")
    command = []
    if "--" in words:
        at = words.index("--")
        words, command = words[:at], words[at + 1:]
    return program.parse_args(words), command


def plain_bytes(paths):
    if "-" in paths:
        raise Failure("--shards needs files whose size can be seen; take --shard-bytes")
    total = 0
    for path in paths:
        with open_plain(path) as file:
            while piece := file.read(PIECE):
                total += len(piece)
    return total


def run(words):
    given, command = arguments(words)
    if given.action == "split":
        if not command:
            raise Failure("expected a command after --, such as: -- copse parse -q --threads 1")
        size = given.shard_bytes
        if given.shards:
            size = max(1, plain_bytes(given.paths) / given.shards)
        count = split(given.dir, given.paths, command, given.kind, given.mark.encode(), size)
        print(f"{count} shards in {given.dir}", file=sys.stderr)
        return 0
    job = Job(given.dir)
    if given.action == "work":
        worker, of = place_in_launch()
        if given.worker is not None:
            worker, of = given.worker, given.of or 1
        return 1 if work(job, worker, of) else 0
    if given.action == "run":
        for name in given.names:
            if name not in job.shards:
                raise Failure(f"there is no shard {name}")
            job.run(name)
    elif given.action == "status":
        left = len(job.left())
        print(f"{len(job.shards) - left} of {len(job.shards)} shards are done")
        return 1 if left else 0
    elif given.action == "verify":
        faults = verify(job)
        print("\n".join(faults) or f"{len(job.shards)} shards are whole")
        return 1 if faults else 0
    elif given.output == "-":
        join(job, sys.stdout.buffer)
    else:
        with replacing(os.path.abspath(given.output)) as file:
            join(job, file)
    return 0


def main():
    try:
        return run(sys.argv[1:])
    except (Failure, OSError) as error:
        print(f"bulk.py: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
