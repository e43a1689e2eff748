#!/usr/bin/env python3
"""attacks.py PROGRAM FIXTURES [CLIENTS]: a server at 127.0.0.1 and clients that behave badly.

Right status each, never a crash, accepted work finished. CLIENTS slow ones at a time (200)."""
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

PROGRAM, FIXTURES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CLIENTS = int(sys.argv[3]) if len(sys.argv) > 3 else 200
SHORT = "The cat sleeps."
failures = []


def check(what, found, expected):
    good = found in expected if isinstance(expected, (set, tuple)) else found == expected
    print(("ok    " if good else "WRONG ") + f"{what}: {found}" + ("" if good else f"; expected {expected}"),
          flush=True)
    if not good:
        failures.append(what)


class Server:
    def __init__(self, folder, *options, model="en=tagger.copse,parser.copse", threads=2):
        self.log = os.path.join(folder, f"log-{time.monotonic_ns()}")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "-m", model, "--port", "0", "--threads", str(threads), "--access-log", self.log,
             *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            raise SystemExit(f"the server said: {line}{self.process.stderr.read()}")
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def signal(self, number):
        self.process.send_signal(number)

    def stop(self):
        self.signal(signal.SIGTERM)
        self.process.wait(60)
        return self.process.returncode

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def raw(self, data, timeout=60):
        """The status of the answer to these bytes; 0 if the server closed without one."""
        with self.connect(timeout) as client:
            try:
                client.sendall(data)
            except OSError:
                pass
            return status_from(client)

    def post(self, path, body, kind="application/json"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data=body,
                                         headers={"Content-Type": kind})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def parse(self, text=SHORT, **fields):
        return self.post("/v1/parse", json.dumps({"text": text, **fields}).encode())

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=60) as answer:
            return answer.read().decode()

    def metric(self, name):
        return int(re.search(rf"^copse_{name} (\d+)$", self.get("/metrics"), re.M)[1])


def read_some(client):
    try:
        return client.recv(65536)
    except OSError:
        return b""


def status_from(client):
    data = b""
    while b"\r\n" not in data:
        part = read_some(client)
        if not part:
            return 0
        data += part
    return int(data.split(b" ", 2)[1])


def malformed(server):
    head = b"POST /v1/parse HTTP/1.1\r\nHost: x\r\n"
    secret = b"\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    for what, data, expected in [
            ("both lengths", head + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n" + secret, 400),
            ("two lengths", head + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde", 400),
            ("another coding", head + b"Transfer-Encoding: xchunked\r\n" + secret, 501),
            ("folded header", head + b"Transfer-Encoding:\r\n chunked\r\n" + secret, 400),
            ("blank before the colon", head + b"Content-Length : 4\r\n\r\nabcd", 400),
            ("no HTTP", b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", 400),
            ("HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", (400, 505)),
            ("endless header", b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 100_000, 431),
            ("climbing path", b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", 404),
            ("chunks over the limit", head + b"Transfer-Encoding: chunked\r\n\r\n" +
             b"10000\r\n" + b"x" * 65536 + b"\r\n" + b"fffff\r\n" + b"x" * 1_048_575, 413)]:
        check(what, server.raw(data), expected)
    # A refused request never leaves something behind that is answered.
    with server.connect() as client:
        client.sendall(head + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n" + secret)
        data = b""
        while part := read_some(client):
            data += part
        check("answers to a smuggled request", data.count(b"HTTP/1.1 "), 1)


def bodies(server):
    check("malformed JSON", server.post("/v1/parse", b'{"text": ')[0], 400)
    check("deep JSON", server.post("/v1/parse", b"[" * 500_000)[0], 400)
    check("deep JSON in an object", server.post("/v1/parse", b'{"demands": ' + b"[" * 500_000)[0], 400)
    check("invalid UTF-8", server.post("/v1/parse", b'{"text": "\xff\xfe"}')[0], 400)
    check("invalid UTF-8 as text", server.post("/v1/parse", b"\xc0\x80", "text/plain")[0], 400)
    check("100,000 tokens in a sentence", server.parse("word " * 100_000)[0], 413)
    check("nothing", server.parse("")[0], 200)
    check("a NUL", server.parse("a\0b")[0], (200, 400, 422))
    status, body = server.post("/v1/parse", b"x" * 10, "application/pdf")
    check("another type", status, 415)
    check("no path in an error", b"/" in json.loads(body)["error"]["message"].replace("application/json", "")
          .replace("text/plain", "").replace("text/x-conllu", "").encode(), False)
    # 100 MB, refused when the header is read: far less than that is ever sent.
    sent = 0
    with server.connect() as client:
        client.sendall(b"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n")
        client.settimeout(0.2)
        status = 0
        try:
            while sent < 104857600 and not status:
                try:
                    status = status_from(client)
                except TimeoutError:
                    pass
                if not status:
                    sent += client.send(b"x" * 65536)
        except OSError:
            pass
    check("100 MB body", status, 413)
    check("of which were sent under 8 MB", sent < 8 << 20, True)


def slow_clients(folder):
    """Half-open and dripping connections, as many as CLIENTS; others are served meanwhile."""
    with Server(folder, "--client-time", "3") as server:
        silent, dripping = [], []
        for i in range(CLIENTS):
            client = server.connect()
            if i % 2:
                client.sendall(b"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Le")
                dripping.append(client)
            else:
                silent.append(client)
        begin = time.monotonic()
        check(f"parse beside {CLIENTS} slow clients", server.parse()[0], 200)
        check("in under 5 s", time.monotonic() - begin < 5, True)
        end = time.monotonic() + 2
        while time.monotonic() < end:  # a byte now and then does not help
            for client in dripping:
                try:
                    client.send(b"a")
                except OSError:
                    pass
            time.sleep(0.5)
        check("status for a slow header", {status_from(client) for client in dripping}, ({408},))
        check("silent ones are closed", {read_some(client) for client in silent}, ({b""},))
        for client in silent + dripping:
            client.close()
        check("then parse", server.parse()[0], 200)
        check("ends with", server.stop(), 0)


def too_many(folder):
    """More connections than there may be: the oldest idle one goes."""
    with Server(folder, "--connections", "20") as server:
        clients = [server.connect() for _ in range(60)]
        check("parse beyond the number of connections", server.parse()[0], 200)
        check("connections were closed for others", server.metric("connections_evicted_total") >= 40, True)
        for client in clients:
            client.close()


def full_queue(folder):
    """One worker, short queue, much at once: each gets 200 or 503 with Retry-After."""
    text = "She saw the man with the telescope on the hill. " * 200
    with Server(folder, "--queue", "2", threads=1) as server:
        results = []

        def ask():
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
            connection.request("POST", "/v1/parse", json.dumps({"text": text}),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            results.append((answer.status, answer.getheader("Retry-After")))

        threads = [threading.Thread(target=ask) for _ in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check("statuses with a full queue", {status for status, _ in results}, ({200, 503},))
        check("503 says when to come again", {retry for status, retry in results if status == 503}, ({"1"},))
        check("refusals are counted", server.metric("queue_refusals_total"),
              (sum(status == 503 for status, _ in results),))


def deadline(folder):
    with Server(folder, "--time-limit", "0.3") as server:
        begin = time.monotonic()
        status, body = server.parse("She saw the man with the telescope on the hill. " * 15_000,
                                    probabilities=True)
        check("work beyond its time", (status, json.loads(body)["error"]["code"]), ((503, "deadline"),))
        print(f"      after {time.monotonic() - begin:.1f} s")
        check("then a short one", server.parse()[0], 200)


def terminated(folder):
    """TERM while requests are worked on and others are half sent: what was taken is answered."""
    text = "She saw the man with the telescope on the hill. " * 150
    with Server(folder, "--time-limit", "300") as server:  # a slow machine needs longer than the default
        body = json.dumps({"text": text}).encode()
        request = (b"POST /v1/parse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                   b"Content-Length: %d\r\n\r\n" % len(body)) + body
        clients = [server.connect() for _ in range(8)]
        idle = server.connect()
        for client in clients[:-1]:
            client.sendall(request)
        clients[-1].sendall(request[:-1000])  # the rest comes after the signal
        while server.metric("queue_length") + server.metric("working") < 2:
            time.sleep(0.01)
        server.signal(signal.SIGTERM)
        time.sleep(0.3)
        clients[-1].sendall(request[-1000:])
        answers = []
        for client in clients:
            data = b""
            while part := read_some(client):
                data += part
            answers.append((data[9:12], data.endswith(b"]}\n")))
        check("accepted requests after TERM", set(answers), ({(b"200", True)},))
        check("idle connection after TERM", read_some(idle), (b"",))
        server.process.wait(60)
        check("exit code after TERM", server.process.returncode, 0)


def reloaded(folder):
    """HUP under load: no request is lost, and the new model answers."""
    model = os.path.join(folder, "changing.copse")
    shutil.copy(os.path.join(folder, "tagger.copse"), model)
    with Server(folder, model="x=changing.copse") as server:
        stop, statuses = threading.Event(), []

        def load():
            while not stop.is_set():
                statuses.append(server.post("/v1/tag", json.dumps({"text": SHORT}).encode())[0])

        threads = [threading.Thread(target=load) for _ in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(5):
            before = server.metric("reloads_total")
            server.signal(signal.SIGHUP)
            while server.metric("reloads_total") == before:
                time.sleep(0.01)
        shutil.copy(os.path.join(folder, "parser.copse"), model + ".new")
        stop.set()
        for thread in threads:
            thread.join()
        check("requests while models are loaded again", set(statuses), ({200},))
        os.rename(model + ".new", model)
        before = server.metric("reloads_total")
        server.signal(signal.SIGHUP)
        while server.metric("reloads_total") == before:
            time.sleep(0.01)
        check("components after HUP", "dependency" in server.get("/v1/models"), True)
        with open(model + ".new", "w") as out:
            out.write("no model")
        os.rename(model + ".new", model)
        server.signal(signal.SIGHUP)
        while server.metric("failed_reloads_total") == 0:
            time.sleep(0.01)
        check("components after a HUP that failed", "dependency" in server.get("/v1/models"), True)


def token(folder):
    with open(os.path.join(folder, "token"), "w") as out:
        out.write("open sesame\n")
    with Server(folder, "--token-file", "token") as server:
        check("without a token", server.parse()[0], 401)
        request = urllib.request.Request(f"http://127.0.0.1:{server.port}/v1/parse?text=x",
                                         headers={"Authorization": "Bearer open sesame"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            check("with it", answer.status, 200)
    with open(server.log) as log:
        lines = [json.loads(line) for line in log]
    check("lines of the log have these fields", {"time", "peer", "method", "path", "status", "ms", "words"} <=
          set(lines[1]), True)
    check("the log has no text and no token", "sesame" in str(lines) or "text=" in str(lines), False)


def pipelined(server):
    one = b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    with server.connect() as client:
        client.sendall(one * 50 + one.replace(b"Host", b"Connection: close\r\nHost"))
        data = b""
        while part := read_some(client):
            data += part
        check("51 requests sent at once", data.count(b"HTTP/1.1 200 OK"), 51)
    with server.connect() as client:
        client.sendall(b"POST /v1/tokenize HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
                       b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        check("a client that waits to go on", status_from(client), 100)
        client.sendall(b"hi")
        check("and then", status_from(client), 200)


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4 * CLIENTS + 200)), hard))
    with tempfile.TemporaryDirectory() as folder:
        for line in ["tagger --passes 1", "dependency --passes 1 --order first"]:
            kind = line.split()[0]
            out = "tagger.copse" if kind == "tagger" else "parser.copse"
            subprocess.run([PROGRAM, "train", *line.split(), "--train", f"{FIXTURES}/english.conllu", "-q",
                            "-o", out], cwd=folder, check=True)
        with Server(folder) as server:
            malformed(server)
            bodies(server)
            pipelined(server)
            check("still parses", server.parse()[0], 200)
            check("ends with", server.stop(), 0)
            check("says nothing on standard error", server.process.stderr.read(), "")
        for test in [slow_clients, too_many, full_queue, deadline, terminated, reloaded, token]:
            test(folder)
    print(f"{len(failures)} wrong" + "".join(f"\n  {each}" for each in failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
