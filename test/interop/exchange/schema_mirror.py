"""Reads one value by a schema of the official Python client and writes it back by the same. Arguments: NAME,IN,OUT each."""
import os
import sys

import pulsar
from pulsar.schema import AvroSchema, Integer, JsonSchema, Record, String, StringSchema


class Order(Record):
    id = String()
    n = Integer()


SCHEMAS = {"STRING": StringSchema, "JSON": lambda: JsonSchema(Order), "AVRO": lambda: AvroSchema(Order)}
client = pulsar.Client(os.environ["PULSAR_URL"], logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
for way in sys.argv[1:]:
    name, source, target = way.split(",")
    try:
        consumer = client.subscribe(source, "mirror", initial_position=pulsar.InitialPosition.Earliest, schema=SCHEMAS[name]())
        producer = client.create_producer(target, schema=SCHEMAS[name]())
        producer.send(consumer.receive(30000).value())
        consumer.close()
        producer.close()
    except Exception as error:
        print(f"{name}: {error!r}", flush=True)
client.close()
