import type { Context } from "hono";
import { AdminError } from "./admin-error.ts";

/** The most a body may hold, in bytes. */
const BODY_BYTES_MAX = 1024 * 1024;

/** The body as JSON; undefined when there is none. Rejects with 400 when it is not JSON, 413 when it is too large. */
export async function jsonBody(c: Context): Promise<unknown> {
  if (Number(c.req.header("content-length") ?? 0) > BODY_BYTES_MAX) {
    throw new AdminError(413, `The body is larger than ${BODY_BYTES_MAX} bytes`);
  }
  const text = await c.req.text();
  if (text.length > BODY_BYTES_MAX) throw new AdminError(413, `The body is larger than ${BODY_BYTES_MAX} bytes`);
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AdminError(400, `The body is not JSON: ${(error as Error).message}`);
  }
}

export async function integerBody(c: Context, what: string): Promise<number> {
  const value = await jsonBody(c);
  if (!Number.isInteger(value)) throw new AdminError(400, `${what} takes an integer`);
  return value as number;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export async function recordBody(c: Context, what: string): Promise<Record<string, unknown>> {
  const value = await jsonBody(c);
  if (!isRecord(value)) throw new AdminError(400, `${what} takes a JSON object`);
  return value;
}

export function isTrue(text: string | undefined): boolean {
  return text === "true";
}
