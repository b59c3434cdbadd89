import type { Instant } from '../metrics/kernel/facts.ts';
import { imagePrefix, type UsedRef } from '../scan/action-uses.ts';
import { selectPresent } from './action-inventory.ts';
import type { Database, Queries } from './database.ts';

/** A ref that is used at present, under each name that its repository had. */
export interface NamedUse extends Pick<UsedRef, 'actionKey' | 'ref'> {
  refId: number;
  /** `owner/repo` in lower case: as written, and as the platform called it when it was read last. */
  names: string[];
}

/** An advisory that affects a ref. */
export interface AdvisedRef {
  refId: number;
  /** Such as `GHSA-mrrh-fwg8-r2c3`. */
  advisoryId: string;
}

/** What a reading of all published advisories found out about refs in use. */
interface FoundAdvisories {
  /** Those of which it is known which advisories affect them. */
  refIds: readonly number[];
  /** Every advisory that affects one of these. */
  advised: readonly AdvisedRef[];
  /** Advisories about the others: what the reading before found of them is believed to affect them still. */
  possible: readonly AdvisedRef[];
}

/** A reading, and the refs of which it found out which advisories affect them. */
export interface AdvisoryReading {
  at: Instant;
  refIds: number[];
}

/** From which reading to which one an advisory was published and affected what a ref led to. */
export interface AdvisedSince extends AdvisedRef {
  observedFrom: Instant;
  observedTo: Instant;
}

/** Which published advisories affect what is used. One process at a time writes it. */
export const actionAdvisories = (database: Database) => ({
  /** Actions and reusable workflows that tracked repositories use at present, directly or in turn. */
  usesOfActions: (): Promise<NamedUse[]> => refsInUse(database),
  /** Stores a reading of all published advisories. */
  putAdvisories: (found: FoundAdvisories, at: Instant): Promise<void> =>
    database.transaction((queries) => put(queries, found, at)),
  /** Since an instant, oldest first. */
  advisoryReadings: (since: Instant): Promise<AdvisoryReading[]> =>
    database.db
      .selectFrom('advisory_readings')
      .select(['at', 'refIds'])
      .where('at', '>=', since)
      .orderBy('at')
      .execute(),
  /** Of refs, what was seen by readings since an instant, oldest first. */
  advisoriesOf: (refIds: readonly number[], since: Instant): Promise<AdvisedSince[]> =>
    database.db
      .selectFrom('advised_refs')
      .select(['refId', 'advisoryId', 'observedFrom', 'observedTo'])
      .where(({ eb, fn, val }) => eb('refId', '=', fn.any(val(refIds))))
      .where('observedTo', '>=', since)
      .orderBy('observedFrom')
      .orderBy('advisoryId')
      .execute(),
});

async function refsInUse({ db }: Queries): Promise<NamedUse[]> {
  const rows = await selectPresent(db)
    .select(['action_refs.id', 'action_refs.actionKey', 'action_refs.ref'])
    .distinct()
    .where('repos.tracked', '=', true)
    .where('action_refs.actionKey', 'not like', `${imagePrefix}%`)
    .orderBy('action_refs.id')
    .execute();
  const present = await db
    .selectFrom('ref_ledger')
    .innerJoin('action_refs', 'action_refs.id', 'ref_ledger.refId')
    .distinctOn('action_refs.actionKey')
    .select(['action_refs.actionKey', 'ref_ledger.repository'])
    .where('ref_ledger.repository', 'is not', null)
    .orderBy('action_refs.actionKey')
    .orderBy('ref_ledger.observedTo', 'desc')
    .execute();
  const nameNow = new Map(present.map(({ actionKey, repository }) => [actionKey, repository]));
  return rows.map(({ id: refId, actionKey, ref }) => ({
    refId,
    actionKey,
    ref,
    names: [...new Set([actionKey, nameNow.get(actionKey) ?? actionKey])],
  }));
}

async function put({ db }: Queries, { refIds, advised, possible }: FoundAdvisories, at: Instant): Promise<void> {
  const before = await db
    .selectFrom('advisory_readings')
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  await db
    .insertInto('advisory_readings')
    .values({ at, refIds: [...refIds] })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const goOn = async (one: AdvisedRef): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('advised_refs')
      .set({ observedTo: at })
      .where('refId', '=', one.refId)
      .where('advisoryId', '=', one.advisoryId)
      // What the reading before did not find was over in between.
      .where('observedTo', '=', before?.at ?? at)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  };
  for (const one of possible) await goOn(one);
  for (const one of advised)
    if (!(await goOn(one)))
      await db
        .insertInto('advised_refs')
        .values({ ...one, observedFrom: at, observedTo: at })
        .execute();
}
