import type { ClientTlsOptions, Timer } from "@pulsewire/runtime";
import { type Authentication, tokenAuthentication } from "../auth/authentication.ts";
import { knownOptions, text, textRecord, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError, PulsarError } from "../errors.ts";
import { parseServiceUrl } from "../lookup/service-url.ts";
import type { ServiceChoice, ServiceUrlControl, ServiceUrlProvider } from "./service-url-provider.ts";

export interface ControlledClusterFailoverOptions {
  /** The service URL to begin with. */
  defaultServiceUrl: string;
  /**
   * Where the service URL to use is asked for, over HTTP. It answers JSON: `serviceUrl`, and, where the client is to be
   * somebody else there, `authParamsString` with `token:...`.
   */
  urlProvider: string;
  /** Sent with each request. */
  headers?: Readonly<Record<string, string>>;
  /** How often it is asked, in ms. Default 30,000. */
  checkIntervalMs?: number;
  /** For an `https://` provider. */
  tls?: ClientTlsOptions;
}

const OPTIONS: Record<keyof ControlledClusterFailoverOptions, true> = {
  defaultServiceUrl: true,
  urlProvider: true,
  headers: true,
  checkIntervalMs: true,
  tls: true,
};

/** Uses the cluster that a service of yours names. For `serviceUrlProvider`. */
export function controlledClusterFailover(options: ControlledClusterFailoverOptions): ServiceUrlProvider {
  if (typeof options !== "object" || options === null) {
    throw new InvalidConfigurationError("controlledClusterFailover takes options with a urlProvider");
  }
  knownOptions("controlledClusterFailover", options, OPTIONS);
  parseServiceUrl(text("defaultServiceUrl", options.defaultServiceUrl));
  const urlProvider = text("urlProvider", options.urlProvider);
  if (!/^https?:\/\//.test(urlProvider) || !URL.canParse(urlProvider)) {
    throw new InvalidConfigurationError(`urlProvider takes an http or https URL, not ${JSON.stringify(urlProvider)}`);
  }
  textRecord("headers", options.headers);
  const checkIntervalMs = wholeNumber("checkIntervalMs", options.checkIntervalMs, 30_000, 1);
  return new ControlledClusterFailover({ ...options, checkIntervalMs });
}

/** What the provider answers; the names are those that Pulsar's Java client reads. */
interface Answer {
  readonly serviceUrl?: unknown;
  readonly authPluginClassName?: unknown;
  readonly authParamsString?: unknown;
}

class ControlledClusterFailover implements ServiceUrlProvider {
  readonly initial: ServiceChoice;
  readonly #options: ControlledClusterFailoverOptions & { checkIntervalMs: number };
  #ticker: Timer | undefined;
  #closed = false;
  #asking = false;
  #answered: string | undefined;
  #current: string;
  /** Whether the client is somebody of the provider's choice. */
  #authenticates = false;

  constructor(options: ControlledClusterFailoverOptions & { checkIntervalMs: number }) {
    this.initial = { serviceUrl: options.defaultServiceUrl };
    this.#current = options.defaultServiceUrl;
    this.#options = options;
  }

  start(control: ServiceUrlControl): void {
    if (this.#ticker !== undefined) throw new InvalidConfigurationError("a serviceUrlProvider belongs to one client");
    const { clock } = control.runtime;
    this.#ticker = clock.setTicker(this.#options.checkIntervalMs, () => void this.#ask(control));
  }

  close(): void {
    this.#closed = true;
    this.#ticker?.cancel();
  }

  async #ask(control: ServiceUrlControl): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { urlProvider, headers = {}, tls, checkIntervalMs } = this.#options;
    try {
      const request = new Request(urlProvider, { headers: { accept: "application/json", ...headers } });
      const options = { timeoutMs: checkIntervalMs, ...(tls === undefined ? {} : { tls }) };
      const response = await control.runtime.network.fetch(request, options);
      if (!response.ok) throw new PulsarError("UnknownError", `it answered status ${response.status}`);
      this.#onAnswer(await response.text(), control);
    } catch (error) {
      // the cluster in use stays in use
      control.logger.warn(`${urlProvider} names no service URL: ${String(error)}`);
    } finally {
      this.#asking = false;
    }
  }

  #onAnswer(body: string, control: ServiceUrlControl): void {
    if (this.#closed || body === this.#answered) return;
    const answer = JSON.parse(body) as Answer;
    const serviceUrl = text("serviceUrl", answer.serviceUrl);
    parseServiceUrl(serviceUrl);
    const authentication = authenticationOf(answer);
    this.#answered = body;
    const asBefore = authentication === undefined && !this.#authenticates;
    this.#authenticates = authentication !== undefined;
    if (serviceUrl === this.#current && asBefore) return;
    control.logger.warn(`switching to ${serviceUrl}, as ${this.#options.urlProvider} says`);
    this.#current = serviceUrl;
    control.switchTo({ serviceUrl, authentication });
  }
}

function authenticationOf({ authPluginClassName, authParamsString }: Answer): Authentication | undefined {
  if (typeof authParamsString !== "string" || authParamsString === "") return undefined;
  if (authParamsString.startsWith("token:")) return tokenAuthentication(authParamsString.slice("token:".length));
  const what = typeof authPluginClassName === "string" ? authPluginClassName : "its authentication";
  throw new PulsarError("Unsupported", `${what} is not supported here; authParamsString takes token:...`);
}
