/** `failure_rate` as `failureRate`, `last_30_days` as `last30Days`. */
type CamelCaseKey<Key extends string> = Key extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCaseKey<Rest>>}`
  : Key;

/** A type with the keys of all its objects in camelCase, as the program names them; its lists may be read-only. */
export type CamelCase<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly CamelCase<Item>[]
    : T extends object
      ? { [Key in keyof T as Key extends string ? CamelCaseKey<Key> : Key]: CamelCase<T[Key]> }
      : T;

export const camelCase = (key: string): string =>
  key.replace(/_(.)/g, (_, character: string) => character.toUpperCase());

/** `leadTime` as `lead_time`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);

/** Given parameters as the domain names them: `owner_note` as `ownerNote`. Those that are undefined are left out. */
export function fromWire<T extends object>(values: T): { [Key in keyof CamelCase<T>]?: CamelCase<T>[Key] } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [camelCase(key), value])) as CamelCase<T>;
}
