import { describe } from "../check-options.ts";
import { fixedSize, primitive } from "./primitive-schema.ts";
import type { Schema } from "./schema.ts";
import type { SchemaTypeName } from "./schema-info.ts";

const DAY_MS = 86_400_000n;
const SECOND_NANOS = 1_000_000_000n;

function millisecondsSchema(type: SchemaTypeName, name: string): Schema<Date> {
  return primitive(
    type,
    name,
    fixedSize(type, 8, {
      check(value: Date): Date {
        if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
        throw new TypeError(`${type} takes a valid Date, not ${describe(value)}`);
      },
      write: (view, value) => view.setBigInt64(0, BigInt(value.getTime())),
      read: (view) => new Date(Number(view.getBigInt64(0))),
    }),
  );
}

/** A point in time to the millisecond, as `java.util.Date`. */
export function dateSchema(): Schema<Date> {
  return millisecondsSchema("DATE", "Date");
}

/** A time of the day as `java.sql.Time` has it: a point in time of which only the time of the day counts. */
export function timeSchema(): Schema<Date> {
  return millisecondsSchema("TIME", "Time");
}

/** A point in time to the millisecond, as `java.sql.Timestamp`. */
export function timestampSchema(): Schema<Date> {
  return millisecondsSchema("TIMESTAMP", "Timestamp");
}

const ISO_DATE = /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)$/;
const ISO_TIME = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?$/;

function badText(type: string, like: string, value: unknown): TypeError {
  return new TypeError(`${type} takes a text such as "${like}", not ${describe(value)}`);
}

/** Days since 1970; undefined where the text is no day of the calendar. */
function epochDay(text: string): bigint | undefined {
  if (!ISO_DATE.test(text)) return undefined;
  const ms = Date.parse(`${text}T00:00:00Z`);
  // the platform takes the 30th of February for a day of March
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text)) return undefined;
  return BigInt(ms) / DAY_MS;
}

/** Nanoseconds since midnight; undefined where the text is no time of a day. */
function nanoOfDay(text: string): bigint | undefined {
  const match = ISO_TIME.exec(text);
  if (match === null) return undefined;
  const [, hours = "", minutes = "", seconds = "0", fraction = ""] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = BigInt(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  return whole * SECOND_NANOS + BigInt(fraction.padEnd(9, "0"));
}

function dayText(epochDay: bigint): string {
  return new Date(Number(epochDay * DAY_MS)).toISOString().split("T")[0] as string;
}

function timeText(nanoOfDay: bigint): string {
  const seconds = Number(nanoOfDay / SECOND_NANOS);
  const nanos = nanoOfDay % SECOND_NANOS;
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return nanos === 0n ? clock : `${clock}.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
}

/** A day of the calendar, as a text: `2026-11-30`. */
export function localDateSchema(): Schema<string> {
  return primitive(
    "LOCAL_DATE",
    "LocalDate",
    fixedSize("LOCAL_DATE", 8, {
      check(value: string): string {
        if (typeof value === "string" && epochDay(value) !== undefined) return value;
        throw badText("LOCAL_DATE", "2026-11-30", value);
      },
      write: (view, value) => view.setBigInt64(0, epochDay(value) as bigint),
      read: (view) => dayText(view.getBigInt64(0)),
    }),
  );
}

/** A time of the day to the nanosecond, as a text: `10:15:30.000000123`. */
export function localTimeSchema(): Schema<string> {
  return primitive(
    "LOCAL_TIME",
    "LocalTime",
    fixedSize("LOCAL_TIME", 8, {
      check(value: string): string {
        if (typeof value === "string" && nanoOfDay(value) !== undefined) return value;
        throw badText("LOCAL_TIME", "10:15:30", value);
      },
      write: (view, value) => view.setBigInt64(0, nanoOfDay(value) as bigint),
      read: (view) => timeText(view.getBigInt64(0)),
    }),
  );
}

/** Day and time without a time zone, as a text: `2026-11-30T10:15:30`. */
export function localDateTimeSchema(): Schema<string> {
  const type = "LOCAL_DATE_TIME";
  return primitive(
    type,
    "LocalDateTime",
    fixedSize(type, 16, {
      check(value: string): string {
        if (splitDateTime(value) !== undefined) return value;
        throw badText(type, "2026-11-30T10:15:30", value);
      },
      write(view, value) {
        const [day, nanos] = splitDateTime(value) as [bigint, bigint];
        view.setBigInt64(0, day);
        view.setBigInt64(8, nanos);
      },
      read: (view) => `${dayText(view.getBigInt64(0))}T${timeText(view.getBigInt64(8))}`,
    }),
  );
}

function splitDateTime(value: unknown): [day: bigint, nanos: bigint] | undefined {
  if (typeof value !== "string") return undefined;
  const [date = "", time = ""] = value.split("T");
  const day = epochDay(date);
  const nanos = nanoOfDay(time);
  return day === undefined || nanos === undefined ? undefined : [day, nanos];
}

/** A point in time to the nanosecond, as a text in UTC: `2026-11-30T10:15:30.000000123Z`. */
export function instantSchema(): Schema<string> {
  return primitive(
    "INSTANT",
    "Instant",
    fixedSize("INSTANT", 12, {
      check(value: string): string {
        if (typeof value === "string" && value.endsWith("Z") && splitDateTime(value.slice(0, -1)) !== undefined) {
          return value;
        }
        throw badText("INSTANT", "2026-11-30T10:15:30Z", value);
      },
      write(view, value) {
        const [day, nanos] = splitDateTime(value.slice(0, -1)) as [bigint, bigint];
        view.setBigInt64(0, day * 86_400n + nanos / SECOND_NANOS);
        view.setInt32(8, Number(nanos % SECOND_NANOS));
      },
      read(view) {
        const seconds = view.getBigInt64(0);
        const secondOfDay = ((seconds % 86_400n) + 86_400n) % 86_400n;
        const nanos = secondOfDay * SECOND_NANOS + BigInt(view.getInt32(8));
        return `${dayText((seconds - secondOfDay) / 86_400n)}T${timeText(nanos)}Z`;
      },
    }),
  );
}
