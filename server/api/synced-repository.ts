import { z } from 'zod';
import type { RepositorySync } from '../../jobs/sync-repository.ts';
import { instant, iso, isoOrNull } from '../reports/instants.ts';

/** What a synchronization of one repository came to. */
export const SyncedRepository = z.object({
  repo: z.string(),
  status: z.enum(['ok', 'partial', 'locked', 'error']),
  synced: z.int().meta({ description: 'Runs inserted or actually changed; the attempts of a run count once.' }),
  total_in_db: z.int().meta({ description: 'Stored runs of the repository, counted in the same way.' }),
  latest_run_id: z.int().nullable(),
  alerts_fired: z.int(),
  synced_through: instant.nullable(),
  unreachable_since: instant
    .optional()
    .meta({ description: 'Since when the platform says that the repository is not there, or is blocked.' }),
  error: z.string().optional(),
  code: z.string().optional(),
});

export function toSyncedRepository(result: RepositorySync): z.input<typeof SyncedRepository> {
  const { totalInDb, latestRunId, syncedThrough, alertsFired, unreachableSince, error, code, ...rest } = result;
  return {
    ...{ repo: rest.repo, status: rest.status, synced: rest.synced },
    total_in_db: totalInDb,
    latest_run_id: latestRunId,
    alerts_fired: alertsFired,
    synced_through: isoOrNull(syncedThrough),
    ...(unreachableSince !== undefined && { unreachable_since: iso(unreachableSince) }),
    ...(error !== undefined && { error }),
    ...(code !== undefined && { code }),
  };
}
