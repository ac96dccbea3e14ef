import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.*;
import org.apache.pulsar.client.api.schema.GenericRecord;
import org.apache.pulsar.common.schema.*;

/** Reads one value by a schema of the official Java client and writes it back by the same. Arguments: NAME,IN,OUT each. */
public class SchemaMirror {
    public static class Order {
        public String id;
        public Integer n;
    }

    static Schema<?> schemaOf(String name) {
        return switch (name) {
            case "STRING" -> Schema.STRING;
            case "BOOLEAN" -> Schema.BOOL;
            case "INT8" -> Schema.INT8;
            case "INT16" -> Schema.INT16;
            case "INT32" -> Schema.INT32;
            case "INT64" -> Schema.INT64;
            case "FLOAT" -> Schema.FLOAT;
            case "DOUBLE" -> Schema.DOUBLE;
            case "DATE" -> Schema.DATE;
            case "TIME" -> Schema.TIME;
            case "TIMESTAMP" -> Schema.TIMESTAMP;
            case "INSTANT" -> Schema.INSTANT;
            case "LOCAL_DATE" -> Schema.LOCAL_DATE;
            case "LOCAL_TIME" -> Schema.LOCAL_TIME;
            case "LOCAL_DATE_TIME" -> Schema.LOCAL_DATE_TIME;
            case "JSON" -> Schema.JSON(Order.class);
            case "AVRO" -> Schema.AVRO(Order.class);
            case "KEY_VALUE_INLINE" -> Schema.KeyValue(Schema.STRING, Schema.INT32, KeyValueEncodingType.INLINE);
            case "KEY_VALUE_SEPARATED" -> Schema.KeyValue(Schema.STRING, Schema.AVRO(Order.class), KeyValueEncodingType.SEPARATED);
            default -> throw new IllegalArgumentException(name);
        };
    }

    static <T> void mirror(PulsarClient client, Schema<T> schema, String in, String out) throws Exception {
        try (var consumer = client.newConsumer(schema).topic(in).subscriptionName("mirror")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest).subscribe();
             var producer = client.newProducer(schema).topic(out).create()) {
            Message<T> message = consumer.receive(30, TimeUnit.SECONDS);
            producer.newMessage().value(message.getValue()).send();
        }
    }

    /** A message whose class is not known here is read by what the registry says of it. */
    static void mirrorGeneric(PulsarClient client, String in, String out) throws Exception {
        try (var consumer = client.newConsumer(Schema.AUTO_CONSUME()).topic(in).subscriptionName("mirror")
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest).subscribe();
             var producer = client.newProducer(Schema.STRING).topic(out).create()) {
            GenericRecord record = consumer.receive(30, TimeUnit.SECONDS).getValue();
            producer.newMessage().value(record.getSchemaType() + ":" + record.getField("id") + ":" + record.getField("n")).send();
        }
    }

    public static void main(String[] args) throws Exception {
        try (PulsarClient client = PulsarClient.builder().serviceUrl(System.getenv("PULSAR_URL")).build()) {
            for (String way : args) {
                String[] w = way.split(",");
                try {
                    if (w[0].equals("PROTOBUF_NATIVE")) mirrorGeneric(client, w[1], w[2]);
                    else mirror(client, schemaOf(w[0]), w[1], w[2]);
                } catch (Exception e) {
                    System.out.println(w[0] + ": " + e);
                }
            }
        }
        System.exit(0);
    }
}
