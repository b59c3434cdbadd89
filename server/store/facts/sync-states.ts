import { sql } from 'kysely';
import type { FactKind, SyncState } from '../../facts/fact-repository.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import type { Queries } from '../database.ts';

/** How far each kind was read, by the platform's id of the repository. */
export const readSyncStates = ({ db }: Queries, codehostId: number): Promise<SyncState[]> =>
  db
    .selectFrom('fact_sync_state')
    .select(['kind', 'floor', 'through', 'capped', 'total', 'openCount', 'newestAt', 'head'])
    .where('repoId', '=', db.selectFrom('repos').select('id').where('codehostRepoId', '=', codehostId))
    .orderBy('kind')
    .execute();

/** Records a reading of everything. Answers its floor. */
export async function saveSyncState({ db }: Queries, repoId: number, state: SyncState): Promise<Instant> {
  const { kind, through, total, openCount, newestAt, head, floor, capped } = state;
  const reading = { through, total, openCount, newestAt, head, floor, capped };
  const saved = await db
    .insertInto('fact_sync_state')
    .values({ repoId, kind, ...reading })
    .onConflict((conflict) => conflict.columns(['repoId', 'kind']).doUpdateSet(reading))
    .returning('floor')
    .executeTakeFirstOrThrow();
  return saved.floor;
}

/**
 * Records a reading of changes; where the floor lies and whether a cap was met stays as it is by now. Answers the
 * floor, null where the kind is not stored or was read further.
 */
export async function advanceSyncState({ db }: Queries, repoId: number, state: SyncState): Promise<Instant | null> {
  const { kind, through, total, openCount, newestAt, head } = state;
  const newest = newestAt === null ? null : newestAt / 1000;
  const moved = await db
    .updateTable('fact_sync_state')
    .set({ through, total, openCount, head })
    .set((row) => ({
      newestAt: sql<Instant | null>`greatest(${row.ref('newestAt')}, to_timestamp(${newest}::float8))`,
    }))
    .where('repoId', '=', repoId)
    .where('kind', '=', kind)
    .where('through', '<=', through)
    .returning('floor')
    .executeTakeFirst();
  return moved?.floor ?? null;
}

/** Moves floors up after facts below were deleted. */
export async function raiseFloor({ db }: Queries, repoId: number, kind: FactKind, floor: Instant): Promise<void> {
  await db
    .updateTable('fact_sync_state')
    .set({ floor })
    .where('repoId', '=', repoId)
    .where('kind', '=', kind)
    .where('floor', '<', floor)
    .execute();
}
