import type { FactKind, FactOf } from '../../facts/shelf.ts';
import type { Review } from '../../metrics/delivery-facts.ts';
import type { Actor } from '../../metrics/facts.ts';
import { storable } from '../wire-sql.ts';
import { factTables, type Keeping } from './tables.ts';

/** A fact with the keys of accounts instead of them. */
export type FactRow = Record<string, unknown>;

type KeyOf = (actor: Actor | null) => string | null;
type AccountOf = (key: string | null) => Actor | null;

const fieldsKeptAs = (kind: FactKind, ...how: Keeping[]) =>
  Object.entries<Keeping>(factTables[kind].fields).flatMap(([field, keeping]) =>
    how.includes(keeping) ? [field] : [],
  );

/** Every account named in facts, some of them often. */
export function accountsIn<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][]): (Actor | null)[] {
  const accounts = fieldsKeptAs(kind, 'account');
  const reviews = fieldsKeptAs(kind, 'reviews');
  return (facts as unknown as readonly FactRow[]).flatMap((fact) => [
    ...accounts.map((field) => fact[field] as Actor | null),
    ...reviews.flatMap((field) => (fact[field] as Review[]).map(({ reviewer }) => reviewer)),
  ]);
}

/** Facts as the JSON that is sent to the database. What is not kept is not sent either. */
export function rowsOf<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][], keyOf: KeyOf): string {
  const fields = Object.entries<Keeping>(factTables[kind].fields).filter(([, keeping]) => keeping !== 'not kept');
  const kept = (value: unknown, keeping: Keeping) => {
    if (keeping === 'account') return keyOf(value as Actor | null);
    if (keeping === 'reviews')
      return (value as Review[]).map(({ reviewer, ...rest }) => ({ ...rest, reviewer: keyOf(reviewer) }));
    return value;
  };
  const rows = (facts as unknown as readonly FactRow[]).map((fact) =>
    Object.fromEntries(fields.map(([field, keeping]) => [field, kept(fact[field], keeping)])),
  );
  return storable(JSON.stringify(rows));
}

/** The keys of accounts in rows as read. */
export function keysIn(kind: FactKind, rows: readonly FactRow[]): Set<string> {
  const keys = new Set<string>();
  const note = (key: unknown) => typeof key === 'string' && keys.add(key);
  const [accounts, reviews] = [fieldsKeptAs(kind, 'account'), fieldsKeptAs(kind, 'reviews')];
  for (const row of rows) {
    for (const field of accounts) note(row[field]);
    for (const field of reviews) for (const { reviewer } of row[field] as KeptReview[]) note(reviewer);
  }
  return keys;
}

/** Makes facts of rows as read, in place: there may be many. */
export function factsFrom<Kind extends FactKind>(kind: Kind, rows: FactRow[], accountOf: AccountOf): FactOf[Kind][] {
  const [accounts, reviews] = [fieldsKeptAs(kind, 'account'), fieldsKeptAs(kind, 'reviews')];
  for (const row of rows) {
    for (const field of accounts) row[field] = accountOf(row[field] as string | null);
    for (const field of reviews)
      for (const review of row[field] as (Review | KeptReview)[])
        review.reviewer = accountOf(review.reviewer as string);
  }
  return rows as unknown as FactOf[Kind][];
}

interface KeptReview {
  reviewer: string | null | Actor;
}
