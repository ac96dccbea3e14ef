"""Produces and consumes with the official client until the server is gone.

  workload.py <service url> <plan as JSON>

Each line it prints is one event: `sent`, `stored`, `acknowledging`, the topic and the text's number; `ready` once
everybody is at work; `ended` and why, where a thread does no more. What the server confirmed is printed only after it did.
"""
import json
import sys
import threading

import pulsar

lock = threading.Lock()


def say(*words):
    with lock:
        sys.stdout.write(" ".join(map(str, words)) + "\n")
        sys.stdout.flush()


def produce(client, topic, batching, size):
    producer = client.create_producer(
        topic,
        batching_enabled=batching,
        batching_max_publish_delay_ms=2,
        send_timeout_millis=0,
        max_pending_messages=plan["in_flight"],
        block_if_queue_full=True,
    )
    number = 0
    while True:
        text = f"{number}:".ljust(size, "x")
        say("sent", topic, number)

        def stored(result, message_id, number=number):
            if result == pulsar.Result.Ok:
                say("stored", topic, number)

        producer.send_async(text.encode(), stored)
        number += 1


def consume(consumer, topic):
    count = 0
    while True:
        message = consumer.receive()
        if count % 3 != 0:
            number = message.data().split(b":", 1)[0].decode()
            say("acknowledging", topic, number)
            consumer.acknowledge(message)
        count += 1


def work(target, *args):
    def run():
        try:
            target(*args)
        except Exception as error:  # the server is gone, which is what it is for
            say("ended", type(error).__name__)

    threading.Thread(target=run, daemon=True).start()


url, plan = sys.argv[1], json.loads(sys.argv[2])
client = pulsar.Client(url, operation_timeout_seconds=5, logger=pulsar.FileLogger(pulsar.LoggerLevel.Error, "/dev/null"))
for one in plan["topics"]:
    topic = one["topic"]
    position = pulsar.InitialPosition.Earliest
    client.subscribe(topic, plan["keeper"], initial_position=position).close()
    worker = client.subscribe(
        topic,
        plan["worker"],
        consumer_type=pulsar.ConsumerType.Shared,
        initial_position=position,
        receiver_queue_size=100,
    )
    work(consume, worker, topic)
    work(produce, client, topic, one["batching"], one["size"])
say("ready")
sys.stdin.read()
