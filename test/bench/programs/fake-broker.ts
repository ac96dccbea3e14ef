// A broker that does nothing: it acknowledges whatever is sent without looking at it, and delivers the same batch over
// and over to whoever has permits. What is measured against it is the client alone.
//   fake-broker.ts MESSAGE_BYTES     prints its URL
import { createServer, type Socket } from "node:net";
import {
  type Command,
  CommandLookupTopicResponseLookupType,
  CommandType,
  encodeBatch,
  encodeEntry,
  encodeFrame,
} from "@pulsewire/protocol";
import { FrameSkimmer } from "./frame-skimmer.ts";

const LEDGER_ID = 1;
const BATCH_BYTES_MAX = 128 * 1024;
const BATCH_MESSAGES_MAX = 1000;
const sizeBytes = Number(process.argv[2]);

/** A batch as a client with default settings would have made it. */
function makeBatch(): { entry: Uint8Array; messages: number } {
  const messages = Math.min(BATCH_MESSAGES_MAX, Math.floor(BATCH_BYTES_MAX / sizeBytes));
  const payload = new Uint8Array(sizeBytes).fill(97);
  const one = (_: unknown, sequenceId: number) => ({ metadata: { payloadSize: sizeBytes, sequenceId }, payload });
  const batch = encodeBatch(Array.from({ length: messages }, one));
  const metadata = { producerName: "bench", sequenceId: 0, publishTime: 1, numMessagesInBatch: messages };
  return { entry: encodeEntry({ ...metadata, uncompressedSize: batch.length }, batch), messages };
}

const { entry, messages } = makeBatch();

class FakeConnection {
  readonly #socket: Socket;
  #entryId = 0;
  #consumerId = 0;
  #permits = 0;
  #stalled = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    const skimmer = new FrameSkimmer((command) => this.#onCommand(command));
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      socket.cork();
      skimmer.push(chunk);
      socket.uncork();
    });
    socket.on("drain", () => {
      this.#stalled = false;
      this.#deliver();
    });
    socket.on("error", () => socket.destroy());
  }

  #onCommand(command: Command): void {
    switch (command.type) {
      case CommandType.SEND: {
        const { producerId, sequenceId, highestSequenceId } = command.body;
        const messageId = { ledgerId: LEDGER_ID, entryId: this.#entryId++ };
        this.#send({ type: CommandType.SEND_RECEIPT, body: { producerId, sequenceId, highestSequenceId, messageId } });
        return;
      }
      case CommandType.SUBSCRIBE:
        this.#consumerId = command.body.consumerId;
        this.#send({ type: CommandType.SUCCESS, body: { requestId: command.body.requestId } });
        return;
      case CommandType.FLOW:
        this.#permits += command.body.messagePermits;
        this.#deliver();
        return;
      default:
        this.#answer(command);
    }
  }

  #answer(command: Command): void {
    switch (command.type) {
      case CommandType.CONNECT:
        this.#send({ type: CommandType.CONNECTED, body: { serverVersion: "bench", protocolVersion: 21 } });
        return;
      case CommandType.PING:
        this.#send({ type: CommandType.PONG, body: {} });
        return;
      case CommandType.PARTITIONED_METADATA:
        this.#send({
          type: CommandType.PARTITIONED_METADATA_RESPONSE,
          body: { requestId: command.body.requestId, partitions: 0, response: 0 },
        });
        return;
      case CommandType.LOOKUP: {
        const response = CommandLookupTopicResponseLookupType.Connect;
        const body = { requestId: command.body.requestId, response, brokerServiceUrl: url, authoritative: true };
        this.#send({ type: CommandType.LOOKUP_RESPONSE, body });
        return;
      }
      case CommandType.PRODUCER:
        this.#send({
          type: CommandType.PRODUCER_SUCCESS,
          body: { requestId: command.body.requestId, producerName: "bench", lastSequenceId: -1 },
        });
        return;
      case CommandType.CLOSE_CONSUMER:
      case CommandType.CLOSE_PRODUCER:
        this.#permits = 0;
        this.#send({ type: CommandType.SUCCESS, body: { requestId: command.body.requestId } });
        return;
      default:
      // ACK and the like want no answer
    }
  }

  #deliver(): void {
    const consumerId = this.#consumerId;
    while (this.#permits > 0 && !this.#stalled) {
      this.#permits -= messages;
      const messageId = { ledgerId: LEDGER_ID, entryId: this.#entryId++ };
      this.#socket.cork();
      this.#socket.write(encodeFrame({ type: CommandType.MESSAGE, body: { consumerId, messageId } }, entry.length));
      this.#stalled = !this.#socket.write(entry);
      this.#socket.uncork();
    }
  }

  #send(command: Command): void {
    this.#socket.write(encodeFrame(command));
  }
}

let url = "";
const server = createServer((socket) => new FakeConnection(socket));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  url = `pulsar://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  console.log(url);
});
