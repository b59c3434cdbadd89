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
        '`running`: it is read now, or is about to be. `waiting`: something is left, and `code` states for what. `failed`: the background reading was given up; what was read stays stored.',
    }),
    runs_stored: z.int(),
    from: instant.nullable().meta({ description: 'Back to which instant runs have been read; null: not begun.' }),
    through: instant.nullable().meta({ description: 'Up to which instant; null: not begun.' }),
    read_pct: z.int().nullable().meta({
      description: 'How much of the time that is read the first time has been, rounded down; null: unknown.',
    }),
    code: z.enum(progressCodes).nullable().meta({
      description:
        '`not_continued`: nothing reads on by itself. `session_ended`: the session whose token read has ended. `access_lost`: the platform no longer gives the repository to whoever read it.',
    }),
    reason: z.string().nullable().meta({ description: '`code` as text.' }),
    resume_at: instant
      .nullable()
      .meta({ description: 'When it continues by itself; null: not before the next request.' }),
  })
  .meta({ id: 'RepositoryProgress' });

export const SyncProgress = z
  .object({
    repositories: z.array(RepositoryProgress).meta({ description: 'Those that are read first, then by name.' }),
    running: z.int(),
    waiting: z.int(),
    failed: z.int(),
    done: z.int(),
    limit: z.int(),
    offset: z.int(),
  })
  .meta({ id: 'SyncProgress' });
