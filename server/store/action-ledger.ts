import type { Selectable } from 'kysely';
import type { Instant } from '../metrics/kernel/facts.ts';
import type { LedgerRow, MoveAlarm, MoveClass } from '../metrics/security/ref-ledger.ts';
import { imagePrefix, type UsedRef } from '../scan/action-uses.ts';
import type { Database, Queries, Tables } from './database.ts';
import { readNewest } from './ref-histories.ts';

/** A ref that can move. */
export interface NamedRef extends Pick<UsedRef, 'actionKey' | 'ref'> {
  id: number;
}

/** A ref that is looked up, with the newest that was observed of it, oldest first. */
export interface ObservedRef extends NamedRef {
  codehostId: number | null;
  history: LedgerRow[];
}

/** What one look at a ref changes. */
export interface RefObservation {
  refId: number;
  /** The repository that has the name; null where it was not read. */
  repository: { codehostId: number; isPrivate: boolean } | null;
  isBranch: boolean | null;
  /** When the ref had been observed last, as the look was made; null for the first. */
  lastObservedTo: Instant | null;
  row: LedgerRow;
}

/** A move of which it is not known yet whether it is alarming. */
export interface UnjudgedMove extends NamedRef {
  isBranch: boolean | null;
  row: LedgerRow;
  /** The newest that was observed before, oldest first. */
  before: LedgerRow[];
}

/** Which rules are to be evaluated once a move is judged. */
export interface AwaitedRules {
  metric: string;
  /** Of moves that were judged since then. */
  since: Instant;
  now: Instant;
}

/** The release of a tag, as the platform gave it. */
export type SeenRelease = Selectable<Tables['action_releases']>;

/** Where refs of actions and reusable workflows led. One process at a time writes it. */
export const actionLedger = (database: Database) => ({
  /** Refs that tracked repositories use now, longest not observed first, but no commit SHAs: these lead nowhere else. */
  refsInUse: (limit: number): Promise<ObservedRef[]> => refsInUse(database, limit),
  /** Stores looks at refs, all in one transaction; none at a ref that somebody else has looked at meanwhile. */
  observe: (observations: readonly RefObservation[]): Promise<void> =>
    database.transaction((queries) => observe(queries, observations)),
  /** Of those that were seen since an instant, oldest first. */
  unjudgedMoves: (since: Instant): Promise<UnjudgedMove[]> => unjudgedMoves(database, since),
  /** Stores how a ref moved, and whether that is alarming, where that is known. */
  async judge({ id, row }: UnjudgedMove, moveClass: MoveClass, alarm: MoveAlarm | null, now: Instant): Promise<void> {
    await database.db
      .updateTable('ref_ledger')
      .set({ moveClass, alarm, judgedAt: alarm === null ? null : now })
      .where('refId', '=', id)
      .where('observedFrom', '=', row.observedFrom)
      .execute();
  },
  /** Ids of the tracked repositories that use what moved alarmingly, as is known since an instant, but not yet to its rule. */
  unevaluatedUsers: (awaited: AwaitedRules): Promise<ReadonlySet<number>> => unevaluatedUsers(database, awaited),
  /** Of these repositories, by `owner/repo`. */
  releases: (actionKeys: readonly string[]): Promise<SeenRelease[]> =>
    database.db
      .selectFrom('action_releases')
      .selectAll()
      .where(({ eb, fn, val }) => eb('actionKey', '=', fn.any(val(actionKeys))))
      .execute(),
  async putRelease(release: SeenRelease): Promise<void> {
    await database.db
      .insertInto('action_releases')
      .values(release)
      .onConflict((conflict) => conflict.columns(['actionKey', 'tag', 'commit']).doUpdateSet(release))
      .execute();
  },
});

async function refsInUse(queries: Queries, limit: number): Promise<ObservedRef[]> {
  const refs = await queries.db
    .selectFrom('action_refs')
    .select(['id', 'actionKey', 'ref', 'codehostId'])
    .where('ref', '!~', commitPattern)
    .where('actionKey', 'not like', `${imagePrefix}%`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('use_days')
          .innerJoin('workflow_trees', (join) =>
            join
              .onRef('workflow_trees.repoId', '=', 'use_days.repoId')
              .onRef('workflow_trees.day', '=', 'use_days.day'),
          )
          .innerJoin('repos', 'repos.id', 'use_days.repoId')
          .whereRef('use_days.refId', '=', 'action_refs.id')
          .where('repos.tracked', '=', true)
          .select('repos.id'),
      ),
    )
    .orderBy(
      ({ selectFrom }) =>
        selectFrom('ref_ledger')
          .whereRef('ref_ledger.refId', '=', 'action_refs.id')
          .select(({ fn }) => fn.max('ref_ledger.observedTo').as('last')),
      (order) => order.asc().nullsFirst(),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
  const observed = await readNewest(
    queries,
    refs.map(({ id }) => id),
    rowsBehind,
  );
  return refs.map((ref) => ({ ...ref, history: observed.get(ref.id) ?? [] }));
}

/** So many rows of a ref are looked through: a return to a commit of before them is compared like any other move. */
export const rowsBehind = 200;

/** A commit SHA. */
export const commitPattern = '^[0-9a-f]{40}$';

async function observe(queries: Queries, observations: readonly RefObservation[]): Promise<void> {
  const { db } = queries;
  const refIds = observations.map(({ refId }) => refId);
  await db
    .selectFrom('action_refs')
    .select('id')
    .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(refIds))))
    .orderBy('id')
    .forUpdate()
    .execute();
  const histories = await readNewest(queries, refIds, 1);
  for (const { refId, repository, isBranch, lastObservedTo, row } of observations) {
    if ((histories.get(refId)?.at(-1)?.observedTo ?? null) !== lastObservedTo) continue;
    await db
      .insertInto('ref_ledger')
      .values({ refId, ...row })
      .onConflict((conflict) => conflict.columns(['refId', 'observedFrom']).doUpdateSet({ observedTo: row.observedTo }))
      .execute();
    if (repository !== null) await db.updateTable('action_refs').set(repository).where('id', '=', refId).execute();
    if (isBranch !== null) await db.updateTable('action_refs').set({ isBranch }).where('id', '=', refId).execute();
  }
}

async function unjudgedMoves(queries: Queries, since: Instant): Promise<UnjudgedMove[]> {
  const moves = await queries.db
    .selectFrom('ref_ledger')
    .innerJoin('action_refs', 'action_refs.id', 'ref_ledger.refId')
    .select(['action_refs.id', 'action_refs.actionKey', 'action_refs.ref', 'action_refs.isBranch'])
    .select('ref_ledger.observedFrom')
    .where('ref_ledger.alarm', 'is', null)
    .where('ref_ledger.previousCommit', 'is not', null)
    .where('ref_ledger.observedFrom', '>=', since)
    .orderBy('ref_ledger.observedFrom')
    .execute();
  const histories = await readNewest(queries, [...new Set(moves.map(({ id }) => id))], rowsBehind);
  return moves.flatMap(({ observedFrom, ...move }) => {
    const history = histories.get(move.id) ?? [];
    const row = history.find((one) => one.observedFrom === observedFrom);
    const before = history.filter((one) => one.observedFrom < observedFrom);
    return row ? [{ ...move, row, before }] : [];
  });
}

/** Rules that are on and not muted, of the repository or its owner; whoever has none has nothing to wait for. */
async function unevaluatedUsers({ db }: Queries, { metric, since, now }: AwaitedRules): Promise<ReadonlySet<number>> {
  const users = await db
    .selectFrom('ref_ledger')
    .innerJoin('use_days', 'use_days.refId', 'ref_ledger.refId')
    .innerJoin('workflow_trees', (join) =>
      join.onRef('workflow_trees.repoId', '=', 'use_days.repoId').onRef('workflow_trees.day', '=', 'use_days.day'),
    )
    .innerJoin('repos', 'repos.id', 'use_days.repoId')
    .innerJoin('alert_rules', (join) =>
      join.on(({ or, eb, fn, ref, val, cast }) =>
        or([
          eb('alert_rules.scopeKey', '=', ref('repos.ownerKey')),
          eb(
            'alert_rules.scopeKey',
            '=',
            fn<string>('concat', ['repos.ownerKey', cast<string>(val('/'), 'text'), 'repos.nameKey']),
          ),
        ]),
      ),
    )
    .leftJoin('alert_rule_state as last', (join) =>
      join.onRef('last.ruleId', '=', 'alert_rules.id').onRef('last.repoId', '=', 'repos.id'),
    )
    .select('repos.id')
    .distinct()
    .where('ref_ledger.judgedAt', '>=', since)
    .where('ref_ledger.alarm', '!=', 'none')
    .where('repos.tracked', '=', true)
    .where('alert_rules.metric', '=', metric)
    .where('alert_rules.enabled', '=', true)
    .where(({ or, eb }) => or([eb('alert_rules.mutedUntil', 'is', null), eb('alert_rules.mutedUntil', '<=', now)]))
    .where(({ or, eb, ref }) =>
      or([eb('last.ruleId', 'is', null), eb('last.lastEvaluatedAt', '<', ref('ref_ledger.judgedAt'))]),
    )
    .execute();
  return new Set(users.map(({ id }) => id));
}
