"""Reads messages from one topic and writes what it read to another, by the official Python client.

PULSAR_URL, CONF_KEYS (folder of pub.pem, priv.pem, priv_pkcs1.pem); each argument is one way:
NAME,IN,OUT,COUNT,COMPRESSION,BATCHED|CHUNKED|SINGLE,PRIVATE_KEY_FILE|-
"""
import os
import sys

import pulsar

KEYS = os.environ["CONF_KEYS"]
client = pulsar.Client(os.environ["PULSAR_URL"], logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
for way in sys.argv[1:]:
    name, source, target, count, compression, form, key = way.split(",")
    reader = None if key == "-" else pulsar.CryptoKeyReader(f"{KEYS}/pub.pem", f"{KEYS}/{key}")
    consumer = client.subscribe(source, "mirror", initial_position=pulsar.InitialPosition.Earliest, crypto_key_reader=reader)
    producer = client.create_producer(
        target, compression_type=getattr(pulsar.CompressionType, "ZLib" if compression == "ZLIB" else compression), chunking_enabled=form == "CHUNKED",
        batching_enabled=form == "BATCHED", batching_max_publish_delay_ms=20, batching_max_allowed_size_in_bytes=4 << 20,
        encryption_key=None if reader is None else "k", crypto_key_reader=reader, block_if_queue_full=True)
    for _ in range(int(count)):
        message = consumer.receive(30000)
        producer.send_async(message.data(), lambda result, _id: result == pulsar.Result.Ok or print(f"{name}: {result}"),
                            properties=message.properties(), partition_key=message.partition_key())
        consumer.acknowledge(message)
    producer.flush()
    consumer.close()
    producer.close()
    print(f"mirrored {name}", flush=True)
client.close()
