import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.ArrayList;
import org.apache.pulsar.client.api.*;

/** What mirror.py does, by the official Java client; the same arguments. */
public class Mirror {
    public static void main(String[] args) throws Exception {
        String keys = System.getenv("CONF_KEYS");
        try (PulsarClient client = PulsarClient.builder().serviceUrl(System.getenv("PULSAR_URL")).build()) {
            for (String way : args) {
                String[] w = way.split(",");
                var reading = client.newConsumer().topic(w[1]).subscriptionName("mirror")
                    .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest);
                var writing = client.newProducer().topic(w[2]).compressionType(CompressionType.valueOf(w[4]))
                    .enableBatching(w[5].equals("BATCHED")).enableChunking(w[5].equals("CHUNKED"))
                    .batchingMaxPublishDelay(20, TimeUnit.MILLISECONDS).blockIfQueueFull(true).maxPendingMessages(1000);
                if (!w[6].equals("-")) {
                    reading.defaultCryptoKeyReader("file://" + keys + "/" + w[6]);
                    writing.addEncryptionKey("k").defaultCryptoKeyReader("file://" + keys + "/pub.pem");
                }
                try (var consumer = reading.subscribe(); var producer = writing.create()) {
                    var sends = new ArrayList<CompletableFuture<MessageId>>();
                    for (int i = 0; i < Integer.parseInt(w[3]); i++) {
                        Message<byte[]> message = consumer.receive(30, TimeUnit.SECONDS);
                        var out = producer.newMessage().value(message.getData()).properties(message.getProperties());
                        if (message.hasKey()) out.key(message.getKey());
                        sends.add(out.sendAsync());
                        consumer.acknowledge(message);
                    }
                    producer.flush();
                    for (var send : sends) send.get(30, TimeUnit.SECONDS);
                }
                System.out.println("mirrored " + w[0]);
            }
        }
        System.exit(0);
    }
}
