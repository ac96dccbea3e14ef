/** What a setting takes. */
export type SettingSpec =
  | { kind: "integer"; min: number; max: number }
  | { kind: "share"; min: number; max: number }
  | { kind: "boolean" };

/** Each setting with what it takes and its default. */
export type SettingTable<T> = { readonly [K in keyof T]: readonly [spec: SettingSpec, byDefault: T[K]] };

const INT_MAX = 2 ** 31 - 1;

export const count: SettingSpec = { kind: "integer", min: 0, max: INT_MAX };
export const positive: SettingSpec = { kind: "integer", min: 1, max: INT_MAX };
export const orNever: SettingSpec = { kind: "integer", min: -1, max: INT_MAX };
export const megabytes: SettingSpec = { kind: "integer", min: 1, max: 1024 * 1024 };
export const share: SettingSpec = { kind: "share", min: 0, max: 1 };
export const flag: SettingSpec = { kind: "boolean" };

/** Checks settings and fills defaults in. @throws TypeError that names the setting and what it takes. */
export function parseSettingsOf<T extends object>(
  table: SettingTable<T>,
  given: Readonly<Record<string, unknown>> = {},
): T {
  const settings: Record<string, unknown> = {};
  const specs = Object.entries<readonly [SettingSpec, unknown]>(table);
  for (const [name, [spec, byDefault]] of specs) {
    settings[name] = given[name] === undefined ? byDefault : checkedValue(name, given[name], spec);
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(table, name)) throw new TypeError(`settings.${name}: there is no such setting`);
  }
  return settings as T;
}

function checkedValue(name: string, given: unknown, spec: SettingSpec): unknown {
  if (spec.kind === "boolean") {
    if (given === true || given === "true") return true;
    if (given === false || given === "false") return false;
    throw new TypeError(`settings.${name} takes true or false, not ${JSON.stringify(given)}`);
  }
  const value = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
  const fits = typeof value === "number" && value >= spec.min && value <= spec.max;
  if (fits && (spec.kind === "share" || Number.isInteger(value))) return value;
  const what = spec.kind === "share" ? "a number" : "an integer";
  throw new TypeError(`settings.${name} takes ${what} from ${spec.min} to ${spec.max}, not ${JSON.stringify(given)}`);
}
