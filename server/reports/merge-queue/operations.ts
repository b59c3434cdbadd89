import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { mergeQueueReport } from './report.ts';
import { MergeQueueReport } from './schema.ts';

/** A branch as refs name it. */
export const branch = z
  .string()
  .regex(/^[^\s\p{Cc}]{1,255}$/u, 'is not the name of a branch')
  .optional()
  .meta({ description: 'Without it the default branch, or the busiest one with a queue.' });

export const queueDays = z.enum(['7', '30', '90'], { error: 'is none of 7, 30 and 90' }).transform(Number).default(30);

export const getMergeQueue = operation({
  method: 'GET',
  path: '/api/codehost/merge-queue',
  summary: 'The merge queue of a branch: what waits, how long merges take, what is ejected and why; CSV: the entries',
  access: feature('mergeQueue'),
  input: z.object({ ...repository, branch, days: queueDays }),
  output: MergeQueueReport,
  rows: ({ entries }) =>
    entries.map(({ checks, eta, ...entry }) => ({
      ...entry,
      eta_low: eta?.low ?? null,
      eta_high: eta?.high ?? null,
      chance_pct: eta?.chance_pct ?? null,
      failed_so_far: checks.failed_so_far,
    })),
  dependsOn: dependOnReadings,
  run: mergeQueueReport,
});
