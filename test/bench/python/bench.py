"""Peer for the benchmark: the official Python client, batched produce then consume, one topic.

    bench.py URL MESSAGES BYTES [single]

Prints the line of JSON that the Go peer prints.
"""

import json
import resource
import sys
import threading
import time

import pulsar

url, messages, size = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
single = sys.argv[4:] == ["single"]
payload = bytes(size)


def cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> dict:
    client = pulsar.Client(url, logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
    topic = f"persistent://public/default/bench-python-{time.time_ns()}"
    consumer = client.subscribe(
        topic, "s", receiver_queue_size=10_000, initial_position=pulsar.InitialPosition.Earliest
    )
    producer = client.create_producer(
        topic,
        max_pending_messages=50_000,
        block_if_queue_full=True,
        batching_enabled=not single,
        batching_max_messages=1000,
        batching_max_allowed_size_in_bytes=128 * 1024,
        batching_max_publish_delay_ms=1,
    )
    start = time.perf_counter()
    if single:
        for _ in range(messages):
            producer.send(payload)
        rate = messages / (time.perf_counter() - start)
        client.close()
        return {"single_per_s": rate}

    left = messages
    failures = []
    done = threading.Event()

    def on_sent(result, _id):
        nonlocal left
        if result != pulsar.Result.Ok:
            failures.append(result)
        left -= 1
        if left == 0:
            done.set()

    for _ in range(messages):
        producer.send_async(payload, on_sent)
    producer.flush()
    done.wait()
    if failures:
        raise SystemExit(f"{len(failures)} sends failed: {failures[0]}")
    produced = messages / (time.perf_counter() - start)

    start = time.perf_counter()
    for _ in range(messages):
        consumer.acknowledge(consumer.receive())
    consumed = messages / (time.perf_counter() - start)
    client.close()
    return {"produced_per_s": produced, "consumed_per_s": consumed}


rates = main()
print(json.dumps({"client": "python", "bytes": size, **rates, "cpu_s": cpu_seconds()}))
