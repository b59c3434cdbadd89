import { z } from 'zod';
import { instant } from '../kernel/instants.ts';

export const progressCodes = [
  'upstream_rate_limited',
  'upstream_unavailable',
  'session_ended',
  'access_lost',
  'internal',
  'not_continued',
] as const;

export const RepositoryProgress = z
  .object({
    repo: z.string(),
    state: z.enum(['running', 'waiting', 'done', 'failed']).meta({
      description:
        '`running`: syncing, or about to. `waiting`: incomplete, `code` says why. `failed`: the background sync was stopped; stored data is kept.',
    }),
    runs_stored: z.int(),
    from: instant.nullable().meta({ description: 'Start of the synced range; null: not started.' }),
    through: instant.nullable().meta({ description: 'End of the synced range; null: not started.' }),
    read_pct: z.int().nullable().meta({
      description: 'Share of the time range of the first sync that is done, rounded down; null: unknown.',
    }),
    code: z.enum(progressCodes).nullable().meta({
      description:
        '`not_continued`: syncing does not continue on its own. `session_ended`: the session that synced has ended. `access_lost`: the account that synced has lost access to the repository.',
    }),
    reason: z.string().nullable().meta({ description: '`code` as text.' }),
    resume_at: instant
      .nullable()
      .meta({ description: 'When it continues on its own; null: not before the next request.' }),
  })
  .meta({ id: 'RepositoryProgress' });

export const SyncProgress = z
  .object({
    repositories: z.array(RepositoryProgress).meta({ description: 'Those synced first, then by name.' }),
    running: z.int(),
    waiting: z.int(),
    failed: z.int(),
    done: z.int(),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'SyncProgress' });
