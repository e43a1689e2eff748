#!/usr/bin/env python3
"""bulk.py: no unit is lost, doubled or cut, whoever dies; what is damaged is found.

Usage: bulk_test.py SOURCE_DIR"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.path.abspath(sys.argv.pop(1))
BULK = os.path.join(SOURCE, "scripts", "bulk", "bulk.py")
sys.path.insert(0, os.path.dirname(BULK))
import bulk  # noqa: E402

# A filter in the manner of `copse parse`: numbers its lines from 1 on, and takes its time.
FILTER = """sleep "$0"; exec awk '{ print "# sent_id = " NR "\\n# text = " $0 "\\n" }'"""


def command(seconds=0.0):
    return ["sh", "-c", FILTER, str(seconds)]


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def read(path):
    with open(path, "rb") as file:
        return file.read()


class BulkTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.dir = os.path.join(self.folder, "job")
        self.text = os.path.join(self.folder, "text")
        rng = random.Random(1)
        write(self.text, b"".join(b"line %d %s\n" % (n, b"x" * rng.randrange(40))
                                  for n in range(300)))

    def make(self, shard_bytes=500, seconds=0.0):
        bulk.split(self.dir, [self.text], command(seconds), "lines", b"", shard_bytes)
        return bulk.Job(self.dir)

    def expected(self):
        return subprocess.run(command(), input=read(self.text), stdout=subprocess.PIPE,
                              check=True).stdout

    def joined(self):
        out = os.path.join(self.folder, "joined")
        self.assertEqual(bulk.run(["join", self.dir, "-o", out]), 0)
        return read(out)

    def test_shards_are_the_input_cut_between_units(self):
        for kind, text, pieces in (
                ("lines", b"a\nb\nc", [b"a\n", b"b\n", b"c", b"\n"]),  # the last one is ended
                ("text", b"a\nb\n\nc\n\n\nd\n", [b"a\nb\n\n", b"c\n\n\n", b"d\n"]),
                ("conllu", b"\n1\ta\n\n1\tb\n\n", [b"\n", b"1\ta\n\n", b"1\tb\n\n"]),
                ("documents", b"# newdoc 1\na\n\n# newdoc 2\nb\n",
                 [b"# newdoc 1\na\n\n", b"# newdoc 2\nb\n"])):
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                write(self.text, text)
                bulk.split(folder, [self.text], ["cat"], kind, b"# newdoc", 1)
                job = bulk.Job(folder)
                self.assertEqual([read(job.path("in", name)) for name in job.shards], pieces)

    def test_the_same_bytes_as_one_process(self):
        job = self.make()
        self.assertGreater(len(job.shards), 15)
        self.assertEqual(bulk.work(job, 1, 3), {})
        self.assertEqual(bulk.verify(job), [])
        self.assertEqual(self.joined(), self.expected())

    def test_what_is_not_done_is_not_joined(self):
        job = self.make()
        for name in list(job.shards)[:-1]:
            job.run(name)
        with self.assertRaisesRegex(bulk.Failure, "1 of .* shards are not done"):
            bulk.join(job, sys.stdout.buffer)
        self.assertEqual(len(bulk.verify(job)), 1)

    def test_damage_is_found_and_done_again(self):
        job = self.make()
        bulk.work(job, 0, 1)
        first, second, third = list(job.shards)[:3]
        write(job.path("out", first), b"short")            # seen by its size: not done
        whole = read(job.path("out", second))
        write(job.path("out", second), b"?" + whole[1:])   # seen by its checksum
        os.unlink(job.path("done", third + ".json"))
        self.assertEqual(job.left(), [first, third])
        self.assertEqual(len(bulk.verify(job)), 3)
        with self.assertRaisesRegex(bulk.Failure, "not done"):
            bulk.join(job, sys.stdout.buffer)
        bulk.work(job, 0, 1)
        with open(os.devnull, "wb") as nothing, self.assertRaisesRegex(bulk.Failure, "checksum"):
            bulk.join(job, nothing)
        os.unlink(job.path("done", second + ".json"))
        bulk.work(job, 0, 1)
        self.assertEqual(self.joined(), self.expected())

    def test_another_input_is_refused(self):
        job = self.make()
        name = next(iter(job.shards))
        write(job.path("in", name), b"other\n")
        with self.assertRaisesRegex(bulk.Failure, "not what was split"):
            job.run(name)

    def test_a_command_that_fails_leaves_nothing(self):
        bulk.split(self.dir, [self.text], ["false"], "lines", b"", 1000)
        job = bulk.Job(self.dir)
        self.assertEqual(set(bulk.work(job, 0, 1, tries=1)), set(job.shards))
        self.assertEqual(os.listdir(job.path("out")), [])
        self.assertEqual(os.listdir(job.path("done")), [])

    def test_a_command_that_is_not_to_be_relied_on_is_noticed(self):
        bulk.split(self.dir, [self.text], ["date", "+%N"], "lines", b"", 1 << 20)
        job = bulk.Job(self.dir)
        name = next(iter(job.shards))
        job.run(name)
        record = job.record
        job.record = lambda asked, calls=[]: calls.append(1) or (record(asked) if len(calls) > 1 else None)
        with self.assertRaisesRegex(bulk.Failure, "in two ways"):
            job.run(name)

    def test_a_second_split_does_not_overwrite(self):
        self.make()
        with self.assertRaisesRegex(bulk.Failure, "is there"):
            self.make()

    def test_workers_are_killed_at_random_moments(self):
        job = self.make(seconds=0.02)
        rng = random.Random(7)
        for _ in range(4):
            workers = [subprocess.Popen([sys.executable, BULK, "work", self.dir, "--worker", str(n),
                                         "--of", "2"]) for n in range(2)]
            time.sleep(rng.uniform(0.1, 0.5))
            workers[0].send_signal(signal.SIGKILL)
            time.sleep(rng.uniform(0, 0.1))
            workers[1].send_signal(signal.SIGKILL)
            for worker in workers:
                worker.wait()
        bulk.work(job, 0, 1)
        self.assertEqual(bulk.verify(job), [])
        self.assertEqual(self.joined(), self.expected())

    def test_only_what_is_counted_from_the_start_is_counted_anew(self):
        lines = [b"# newdoc\n", b"# sent_id = 1\n", b"1\ta\tSpaceAfter=No|TokenRange=0:1\n",
                 b"# sent_id = doc-7\n", b"# sent_id = 2\n", b"# sent_id = 9\n", b"# newdoc\n"]
        counts = bulk.Counts()
        counts.sentences, counts.characters = 10, 100
        self.assertEqual(list(counts.adapted(lines, False)),
                         [b"# sent_id = 11\n", b"1\ta\tSpaceAfter=No|TokenRange=100:101\n",
                          lines[3], b"# sent_id = 12\n", lines[5], lines[6]])
        self.assertEqual(counts.sentences, 12)
        self.assertEqual(list(bulk.Counts().adapted(lines, True)), lines)

    def test_launchers_tell_the_place(self):
        before = dict(os.environ)
        try:
            os.environ.update({"SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "3",
                               "SLURM_ARRAY_TASK_COUNT": "4"})
            self.assertEqual(bulk.place_in_launch(), (2, 4))
        finally:
            os.environ.clear()
            os.environ.update(before)


if __name__ == "__main__":
    unittest.main()
