/** `failureRate` as `failure_rate`; a digit stays where it is: `p95DurationMs` is `p95_duration_ms`. */
type SnakeCaseKey<Key extends string, Done extends string = ''> = Key extends `${infer First}${infer Rest}`
  ? SnakeCaseKey<Rest, `${Done}${First extends Uppercase<First> ? SnakeCaseCharacter<First> : First}`>
  : Done;

type SnakeCaseCharacter<Character extends string> =
  Character extends Lowercase<Character> ? Character : `_${Lowercase<Character>}`;

/** A type with the keys of all its objects in snake_case; lists and plain values stay. */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? SnakeCaseKey<Key> : Key]: Wire<T[Key]> }
    : T;

/**
 * A value of the domain as answers write it. The schema of an answer is checked against it where it compiles. Objects
 * whose keys are names of things, as repositories or logins, must not be given to it.
 */
export function toWire<T>(value: T): Wire<T> {
  return inSnakeCase(value) as Wire<T>;
}

function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (value === null || typeof value !== 'object') return value;
  const wire: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value)) wire[snakeCase(key)] = inSnakeCase(part);
  return wire;
}

/** Keys are few and objects many, so each key is converted once. */
const converted = new Map<string, string>();

function snakeCase(key: string): string {
  const known = converted.get(key);
  if (known !== undefined) return known;
  const snake = key.replace(/[A-Z]/g, (character) => `_${character.toLowerCase()}`);
  converted.set(key, snake);
  return snake;
}

/** Given parameters as the domain names them: `owner_note` as `ownerNote`. Those that are undefined are left out. */
export function fromWire<T extends object>(values: { [Key in keyof Wire<T>]?: Wire<T>[Key] | undefined }): Partial<T> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([key, value]) => [camelCase(key), value])) as Partial<T>;
}

const camelCase = (key: string) => key.replace(/_([a-z])/g, (_, character: string) => character.toUpperCase());
