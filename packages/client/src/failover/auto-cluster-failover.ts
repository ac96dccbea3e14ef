import type { Timer } from "@pulsewire/runtime";
import { type Authentication, checkAuthentication } from "../auth/authentication.ts";
import { describe, knownOptions, text, wholeNumber } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import { parseServiceUrl } from "../lookup/service-url.ts";
import type { ServiceChoice, ServiceUrlControl, ServiceUrlProvider } from "./service-url-provider.ts";

export interface AutoClusterFailoverOptions {
  /** The service URL of the cluster that is used while it is there. */
  primary: string;
  /** Those that take its place, the first that answers. */
  secondaries: readonly string[];
  /** How long the cluster in use must have been away before another is taken, in ms. Default 30,000. */
  failoverDelayMs?: number;
  /** How long the primary must have been back before it is used again, in ms. Default 60,000. */
  switchBackDelayMs?: number;
  /** How often it is looked, in ms. Default 30,000. */
  checkIntervalMs?: number;
  /** Who the client is at the primary. Default: as the client's options say. */
  primaryAuthentication?: Authentication;
  /** Who the client is at a secondary, by its URL. Default: as the client's options say. */
  secondaryAuthentication?: Readonly<Record<string, Authentication>>;
}

const OPTIONS: Record<keyof AutoClusterFailoverOptions, true> = {
  primary: true,
  secondaries: true,
  failoverDelayMs: true,
  switchBackDelayMs: true,
  checkIntervalMs: true,
  primaryAuthentication: true,
  secondaryAuthentication: true,
};

/**
 * Uses a primary cluster while brokers answer there, else the first secondary where they do, and the primary again once it
 * is back. For `serviceUrlProvider`.
 *
 * @example
 * const serviceUrlProvider = autoClusterFailover({
 *   primary: "pulsar://east:6650",
 *   secondaries: ["pulsar://west:6650"],
 * });
 */
export function autoClusterFailover(options: AutoClusterFailoverOptions): ServiceUrlProvider {
  if (typeof options !== "object" || options === null) {
    throw new InvalidConfigurationError("autoClusterFailover takes options with a primary and secondaries");
  }
  knownOptions("autoClusterFailover", options, OPTIONS);
  const { primary, secondaries } = options;
  const authentication = checkAuthentication(options.primaryAuthentication);
  const secondaryAuthentication = authenticationsOf(options.secondaryAuthentication);
  if (!Array.isArray(secondaries) || secondaries.length === 0) {
    throw new InvalidConfigurationError("secondaries takes an array of at least one service URL");
  }
  for (const url of [primary, ...secondaries]) parseServiceUrl(text("a service URL", url));
  const others = secondaries.map((serviceUrl) => ({ serviceUrl, authentication: secondaryAuthentication[serviceUrl] }));
  return new AutoClusterFailover([{ serviceUrl: primary, authentication }, ...others], {
    failoverDelayMs: wholeNumber("failoverDelayMs", options.failoverDelayMs, 30_000),
    switchBackDelayMs: wholeNumber("switchBackDelayMs", options.switchBackDelayMs, 60_000),
    checkIntervalMs: wholeNumber("checkIntervalMs", options.checkIntervalMs, 30_000, 1),
  });
}

function authenticationsOf(given: unknown): Readonly<Record<string, Authentication>> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null) {
    throw new InvalidConfigurationError(`secondaryAuthentication takes an object by URL, not ${describe(given)}`);
  }
  for (const authentication of Object.values(given)) checkAuthentication(authentication);
  return given as Readonly<Record<string, Authentication>>;
}

interface Delays {
  readonly failoverDelayMs: number;
  readonly switchBackDelayMs: number;
  readonly checkIntervalMs: number;
}

class AutoClusterFailover implements ServiceUrlProvider {
  readonly initial: ServiceChoice;
  readonly #choices: readonly ServiceChoice[];
  readonly #delays: Delays;
  #ticker: Timer | undefined;
  #closed = false;
  #checking = false;
  /** Which choice is in use; 0 is the primary. */
  #current = 0;
  /** Since when the cluster in use has been away, and the primary back, by the monotonic clock. */
  #awaySinceMs: number | undefined;
  #backSinceMs: number | undefined;

  constructor(choices: readonly [ServiceChoice, ...ServiceChoice[]], delays: Delays) {
    this.initial = choices[0];
    this.#choices = choices;
    this.#delays = delays;
  }

  start(control: ServiceUrlControl): void {
    if (this.#ticker !== undefined) throw new InvalidConfigurationError("a serviceUrlProvider belongs to one client");
    const { clock } = control.runtime;
    this.#ticker = clock.setTicker(this.#delays.checkIntervalMs, () => void this.#check(control));
  }

  close(): void {
    this.#closed = true;
    this.#ticker?.cancel();
  }

  async #check(control: ServiceUrlControl): Promise<void> {
    // a look may take longer than the time between two
    if (this.#checking) return;
    this.#checking = true;
    try {
      if (this.#current > 0 && (await this.#mayGoBack(control))) this.#use(0, control, "it is back");
      else if (await this.#isAway(control)) await this.#findAnother(control);
    } finally {
      this.#checking = false;
    }
  }

  async #mayGoBack(control: ServiceUrlControl): Promise<boolean> {
    const { clock } = control.runtime;
    if (!(await control.probe(this.initial))) {
      this.#backSinceMs = undefined;
      return false;
    }
    this.#backSinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - this.#backSinceMs >= this.#delays.switchBackDelayMs;
  }

  async #isAway(control: ServiceUrlControl): Promise<boolean> {
    const { clock } = control.runtime;
    if (await control.probe(this.#choices[this.#current] as ServiceChoice)) {
      this.#awaySinceMs = undefined;
      return false;
    }
    this.#awaySinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - this.#awaySinceMs >= this.#delays.failoverDelayMs;
  }

  async #findAnother(control: ServiceUrlControl): Promise<void> {
    for (const [index, choice] of this.#choices.entries()) {
      if (index === this.#current || !(await control.probe(choice))) continue;
      this.#use(index, control, `${this.#choices[this.#current]?.serviceUrl} is away`);
      return;
    }
    control.logger.warn(`${this.#choices[this.#current]?.serviceUrl} is away, and so is every other cluster`);
  }

  #use(index: number, control: ServiceUrlControl, why: string): void {
    const choice = this.#choices[index];
    if (this.#closed || choice === undefined) return;
    control.logger.warn(`switching to ${choice.serviceUrl}, since ${why}`);
    this.#current = index;
    this.#awaySinceMs = undefined;
    this.#backSinceMs = undefined;
    control.switchTo(choice);
  }
}
