import type { ClientRuntime } from "@pulsewire/runtime";
import { CoreClient } from "../client.ts";
import type { PulsarClientOptions } from "../client-options.ts";
import type { ReaderOptions } from "../consuming/reader-options.ts";
import type { Logger } from "../logger.ts";
import type { ClientConfig, ConsumerConfig, ProducerConfig, ReaderConfig } from "./config.ts";
import { Consumer } from "./consumer.ts";
import { consumerOptions, readerOptions } from "./consumer-mapping.ts";
import { type LogHandler, LogLevel, loggerTo } from "./log.ts";
import { Message } from "./message.ts";
import { readText } from "./platform.ts";
import { Producer } from "./producer.ts";
import { producerOptions } from "./producer-mapping.ts";
import { Reader } from "./reader.ts";
import { done, settled } from "./result.ts";
import { authenticationOf, failoverOf } from "./service.ts";
import { flagIn, numberIn, present, textIn } from "./values.ts";

/** A client on a platform that it is given; `Client` of the entry brings Node's. */
export class CompatClient {
  // one for the process, because that is what the static method of the official client sets
  static #logHandler: LogHandler | undefined;
  readonly #client: CoreClient;
  readonly #logger: Logger;

  static setLogHandler(logHandler: LogHandler | null): void {
    if (logHandler !== null && typeof logHandler !== "function") {
      throw new Error("Client log handler must be a function or null");
    }
    CompatClient.#logHandler = logHandler ?? undefined;
  }

  constructor(config: ClientConfig, runtime: ClientRuntime) {
    const service = serviceOf(config);
    if (typeof config.log === "function") CompatClient.#logHandler = config.log;
    const logLevel = (numberIn(config.logLevel, 0) ?? LogLevel.INFO) as LogLevel;
    this.#logger = loggerTo(() => CompatClient.#logHandler, logLevel);
    this.#client = new CoreClient({ ...service, logger: this.#logger, ...clientOptions(config) }, runtime);
  }

  async createProducer(config: ProducerConfig): Promise<Producer> {
    const opening = this.#client.createProducer(producerOptions(config));
    return new Producer(await settled("Failed to create producer", opening));
  }

  async subscribe(config: ConsumerConfig): Promise<Consumer> {
    const options = consumerOptions(config);
    const { listener } = config;
    if (typeof listener !== "function") {
      return new Consumer(await settled("Failed to create consumer", this.#client.subscribe(options)));
    }
    // the listener may be called before the promise has resolved: both get the same consumer
    let consumer: Consumer | undefined;
    const opening = this.#client.subscribe({
      ...options,
      messageListener: (message, core) => {
        consumer ??= new Consumer(core);
        return listener(Message.of(message), consumer);
      },
    });
    const core = await settled("Failed to create consumer", opening);
    consumer ??= new Consumer(core);
    return consumer;
  }

  async createReader(config: ReaderConfig): Promise<Reader> {
    const options = readerOptions(config);
    const reader = await settled("Failed to create reader", this.#openReader(options));
    if (typeof config.listener === "function") reader.listen(config.listener, this.#logger);
    return reader;
  }

  getPartitionsForTopic(topic: string): Promise<string[]> {
    return settled("Failed to GetPartitionsForTopic", this.#client.getPartitionsForTopic(topic));
  }

  close(): Promise<null> {
    return done("Failed to close client", this.#client.close());
  }

  async #openReader(options: ReaderOptions): Promise<Reader> {
    return Reader.open(await this.#client.createReader(options));
  }
}

/** Where the cluster is, or who knows. */
function serviceOf(config: ClientConfig): Pick<PulsarClientOptions, "serviceUrl" | "serviceUrlProvider"> {
  const { serviceUrl, serviceUrlProvider } = config ?? {};
  if (serviceUrlProvider !== undefined && serviceUrlProvider !== null) {
    if (serviceUrl !== undefined) throw new Error("Only one of serviceUrl or serviceUrlProvider can be configured");
    return { serviceUrlProvider: failoverOf(serviceUrlProvider) };
  }
  if (serviceUrl === undefined || serviceUrl === null) {
    const detail = "Service URL is required and must be specified as a string unless serviceUrlProvider is configured";
    throw new Error(detail);
  }
  if (typeof serviceUrl !== "string" || serviceUrl === "") {
    throw new Error("Service URL is required and must be specified as a string");
  }
  return { serviceUrl };
}

function clientOptions(config: ClientConfig): Partial<PulsarClientOptions> {
  const seconds = numberIn(config.operationTimeoutSeconds, 1);
  return present({
    authentication: authenticationOf(config.authentication),
    operationTimeoutMs: seconds === undefined ? undefined : seconds * 1000,
    connectionTimeoutMs: numberIn(config.connectionTimeoutMs, 1),
    listenerName: textIn(config.listenerName),
    tls: tlsOf(config),
  });
}

function tlsOf(config: ClientConfig): NonNullable<PulsarClientOptions["tls"]> {
  const file = (name: "tlsTrustCertsFilePath" | "tlsCertificateFilePath" | "tlsPrivateKeyFilePath") => {
    const path = textIn(config[name]);
    return path === undefined ? undefined : readText(name, path);
  };
  return {
    verifyHostname: flagIn(config.tlsValidateHostname) ?? false,
    ...present({
      ca: file("tlsTrustCertsFilePath"),
      cert: file("tlsCertificateFilePath"),
      key: file("tlsPrivateKeyFilePath"),
      allowInsecure: flagIn(config.tlsAllowInsecureConnection),
    }),
  };
}
