import { type Network, NetworkError } from "@pulsewire/runtime";
import { Command } from "commander";

/** How long a bookie may take to leave, in ms: what it holds is copied meanwhile. */
const TIMEOUT_MS = 24 * 3_600_000;

/**
 * `decommission <bookie>`: has a bookie of a running cluster leave for good. Answers the exit code.
 * @throws CommanderError for wrong usage.
 */
export async function decommission(args: readonly string[], network: Network): Promise<number> {
  const command = new Command("pulsewire decommission")
    .description("Copies what a bookie holds to others, and stops it.")
    .argument("<bookie>", "its host:port, as in the admin REST's list of bookies")
    .option("--admin-url <url>", "of the running cluster", "http://127.0.0.1:8080")
    .exitOverride()
    .parse([...args], { from: "user" });
  const [bookie] = command.args as [string];
  const { adminUrl } = command.opts<{ adminUrl: string }>();
  const answer = await ask(network, adminUrl, bookie);
  if (typeof answer === "string") console.error(answer);
  else if (answer.ok) console.log(`${bookie} has left`);
  else console.error(await reasonOf(answer));
  return typeof answer !== "string" && answer.ok ? 0 : 1;
}

/** The answer, or why there is none. */
async function ask(network: Network, adminUrl: string, bookie: string): Promise<Response | string> {
  if (!URL.canParse(adminUrl)) return `--admin-url takes an URL such as http://127.0.0.1:8080, not ${adminUrl}`;
  const url = new URL("/api/v1/autorecovery/decommission", adminUrl);
  const request = new Request(url, { method: "PUT", body: JSON.stringify({ bookie_src: bookie }) });
  try {
    return await network.fetch(request, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return `no cluster answers at ${adminUrl}: ${error.message}`;
  }
}

async function reasonOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return String((JSON.parse(text) as { reason?: unknown }).reason ?? text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
