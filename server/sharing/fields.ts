/**
 * What of a value is shared, in every depth: each field that leaves is named. What is not named is null, a list of
 * which nothing is named is empty. `'words'` are texts that strangers wrote, which leave without logins; `'unshared'` is
 * what is null there, though an answer always has it, because no shared part is drawn from it; a function answers what
 * leaves in place of a value.
 */
export type SharedFields<T> = [NonNullable<T>] extends [readonly (infer Item)[]]
  ? SharedFields<Item>
  : [NonNullable<T>] extends [object]
    ? SharedFieldsOf<NonNullable<T>> | 'unshared'
    : Leaf<T>;

type Leaf<T> = true | 'words' | 'unshared' | ((value: NonNullable<T>) => T);

type SharedFieldsOf<T> = {
  [Key in KeyOf<T> as MayBeEmpty<FieldOf<T, Key>> extends true ? never : Key]: SharedFields<FieldOf<T, Key>>;
} & { [Key in KeyOf<T> as MayBeEmpty<FieldOf<T, Key>> extends true ? Key : never]?: SharedFields<FieldOf<T, Key>> };

/** Of a union the keys of all its members, of which each has some. */
type KeyOf<T> = T extends unknown ? keyof T : never;
type FieldOf<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never;

type MayBeEmpty<T> = null extends T
  ? true
  : undefined extends T
    ? true
    : [T] extends [readonly unknown[]]
      ? true
      : false;

/** A text in place of one that is never shared, where there must be one. */
export const hidden = (): string => '';

/** The part of a value that is shared. `clean` takes logins out of a text. */
export function pickShared<T>(value: T, fields: SharedFields<T>, clean: (text: string) => string): T {
  return pick(value, fields, clean) as T;
}

function pick(value: unknown, fields: unknown, clean: (text: string) => string): unknown {
  if (value === null || value === undefined || fields === 'unshared') return null;
  if (Array.isArray(value)) return value.map((item) => pick(item, fields, clean));
  if (typeof fields === 'function') return fields(value);
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, pickField(inner, fields as object, key, clean)]),
    );
  return fields === 'words' ? clean(String(value)) : value;
}

function pickField(value: unknown, fields: object, key: string, clean: (text: string) => string): unknown {
  if (Object.hasOwn(fields, key)) return pick(value, fields[key as keyof typeof fields], clean);
  return Array.isArray(value) ? [] : null;
}
