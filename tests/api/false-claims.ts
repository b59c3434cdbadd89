/** What an answer of the service says, and whether it says that this is everything. */
export interface Claim {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
  body: any;
  /** The header `X-Partial`. */
  partial: string | null;
}

/**
 * What an answer claims that cannot be known where something could not be read: a 0 that is none in the faultless answer,
 * and `partial: false`, `complete: true` or the same header over values that differ from it. Each with its path; places
 * in lists are not part of it.
 */
export function falseClaims(good: Claim, bad: Claim): string[] {
  const claims = new Set<string>();
  const differs = compare(good.body, bad.body, '', claims);
  if (differs && bad.partial !== 'true') claims.add('X-Partial');
  return [...claims].sort();
}

/** Whether the values differ; adds what is claimed wrongly. */
function compare(good: unknown, bad: unknown, path: string, claims: Set<string>): boolean {
  if (Array.isArray(bad)) return compareLists(Array.isArray(good) ? good : [], bad, path, claims);
  if (!isObject(bad)) {
    if (bad === 0 && good !== 0 && good !== undefined) claims.add(path);
    return bad !== good;
  }
  const known = isObject(good) ? good : {};
  const differing = Object.keys(bad).filter((key) => compare(known[key], bad[key], `${path}.${key}`, claims));
  const differs = differing.some((key) => !moments.has(key));
  if (differs && bad.partial === false) claims.add(`${path}.partial`);
  if (differs && bad.complete === true) claims.add(`${path}.complete`);
  return differs;
}

/** Items are compared with those of the same name, else of the same place. */
function compareLists(good: unknown[], bad: unknown[], path: string, claims: Set<string>): boolean {
  const named = new Map(good.map((one) => [nameOf(one), one]));
  const hasNames = named.size === good.length && !named.has(null) && new Set(bad.map(nameOf)).size === bad.length;
  const differing = bad.filter((one, place) =>
    compare(hasNames ? named.get(nameOf(one)) : good[place], one, path, claims),
  );
  return good.length !== bad.length || differing.length > 0;
}

const moments: ReadonlySet<string> = new Set(['generated_at', 'as_of']);

const names =
  'number pr_number sha id login full_name repo name module file_path path environment date week_start bucket rounds label job reviewer'.split(
    ' ',
  );

/** What an item is known by; null for what has no name. */
function nameOf(item: unknown): string | null {
  if (!isObject(item)) return null;
  const own = names.flatMap((name) =>
    isObject(item[name]) || item[name] === undefined ? [] : [`${name}=${item[name]}`],
  );
  return own.length === 0 ? null : own.join(' ');
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
