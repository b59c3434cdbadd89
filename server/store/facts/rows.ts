import type { FactKind, FactOf } from '../../facts/fact-repository.ts';
import type { Review } from '../../metrics/kernel/delivery-facts.ts';
import type { Actor } from '../../metrics/kernel/facts.ts';
import { storable } from '../database.ts';

/** A fact with the keys of accounts instead of them. */
export type FactRow = Record<string, unknown>;

type KeyOf = (actor: Actor | null) => string | null;
type AccountOf = (key: string | null) => Actor | null;

/** The fields that are an account: its key is stored. */
const accountFields: { readonly [Kind in FactKind]: readonly string[] } = {
  pull_requests: ['author', 'mergedBy'],
  commits: ['author'],
  issues: ['author'],
  deployments: ['creator'],
  releases: [],
};

/** The fields that are reviews, which have accounts in them. */
const reviewFields: { readonly [Kind in FactKind]: readonly string[] } = {
  pull_requests: ['reviews'],
  commits: [],
  issues: [],
  deployments: [],
  releases: [],
};

/** Not stored: it is read from the platform when it is shown. */
const unstoredField = 'title';

/** Every account named in facts, some of them often. */
export function accountsIn<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][]): (Actor | null)[] {
  const accounts = accountFields[kind];
  const reviews = reviewFields[kind];
  return (facts as unknown as readonly FactRow[]).flatMap((fact) => [
    ...accounts.map((field) => fact[field] as Actor | null),
    ...reviews.flatMap((field) => (fact[field] as Review[]).map(({ reviewer }) => reviewer)),
  ]);
}

/** Facts as the JSON that is sent to the database. */
export function toRows<Kind extends FactKind>(kind: Kind, facts: readonly FactOf[Kind][], toAccountKey: KeyOf): string {
  const toStored = (field: string, value: unknown) => {
    if (accountFields[kind].includes(field)) return toAccountKey(value as Actor | null);
    if (reviewFields[kind].includes(field))
      return (value as Review[]).map(({ reviewer, ...rest }) => ({ ...rest, reviewer: toAccountKey(reviewer) }));
    return value;
  };
  const rows = (facts as unknown as readonly FactRow[]).map((fact) =>
    Object.fromEntries(
      Object.entries(fact)
        .filter(([field]) => field !== unstoredField)
        .map(([field, value]) => [field, toStored(field, value)]),
    ),
  );
  return storable(JSON.stringify(rows));
}

/** The keys of accounts in rows as read. */
export function keysIn(kind: FactKind, rows: readonly FactRow[]): Set<string> {
  const keys = new Set<string>();
  const note = (key: unknown) => typeof key === 'string' && keys.add(key);
  const [accounts, reviews] = [accountFields[kind], reviewFields[kind]];
  for (const row of rows) {
    for (const field of accounts) note(row[field]);
    for (const field of reviews) for (const { reviewer } of row[field] as StoredReview[]) note(reviewer);
  }
  return keys;
}

/** Makes facts of rows as read, in place: there may be many. */
export function factsFrom<Kind extends FactKind>(kind: Kind, rows: FactRow[], getAccount: AccountOf): FactOf[Kind][] {
  const [accounts, reviews] = [accountFields[kind], reviewFields[kind]];
  for (const row of rows) {
    for (const field of accounts) row[field] = getAccount(row[field] as string | null);
    for (const field of reviews)
      for (const review of row[field] as (Review | StoredReview)[])
        review.reviewer = getAccount(review.reviewer as string);
  }
  return rows as unknown as FactOf[Kind][];
}

interface StoredReview {
  reviewer: string | null | Actor;
}
