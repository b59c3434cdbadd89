import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { branchName, clamped, identifier, nextAfter, repository } from '../../api/parameters.ts';
import { reasonGroups } from '../../domain/queue-reasons.ts';
import { dependOnReadings } from '../kernel/dependencies.ts';
import { moment } from '../kernel/moments.ts';
import { queueBatches } from './batches.ts';
import { queueEntries } from './entries.ts';
import { entryOutcomes, QueueBatches, QueueEntries } from './entries-schema.ts';
import { mergeQueueReport } from './report.ts';
import { MergeQueueReport } from './schema.ts';

export const branch = branchName
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

const span = {
  days: queueDays.meta({ description: 'Of what left: back from `to`, or from now.' }),
  from: moment.meta({ description: 'In place of `days`: a day in UTC or an instant; at most 90 days back.' }),
  to: moment.meta({ description: 'As above; a day counts until its end. What is in the queue is listed without it.' }),
};

export const getQueueEntries = operation({
  method: 'GET',
  path: '/api/codehost/merge-queue/entries',
  summary: 'The entries behind the figures of a merge queue, those in it first, then the last that left; CSV: the page',
  access: feature('mergeQueue'),
  input: z.object({
    ...repository,
    branch,
    ...span,
    outcome: z.enum(entryOutcomes).optional(),
    reason: z.enum(reasonGroups).optional().meta({ description: 'Why it left, as `group` has it.' }),
    check: z
      .string()
      .regex(/^\P{Cc}{1,500}$/u, 'is no name of a check')
      .optional()
      .meta({
        description: 'Ejections for checks in whose last build this check failed, as `failed_checks` names it.',
      }),
    number: identifier.optional().meta({ description: 'Of one pull request.' }),
    cursor: z
      .string()
      .regex(/^[01](\.\d{1,16}){3}$/, 'is no next_cursor of an answer')
      .optional()
      .meta({ description: '`next_cursor` of the page before.' }),
    limit: clamped(1, 1000, 100),
  }),
  output: QueueEntries,
  rows: ({ entries }) =>
    entries.map(({ failed_checks, ...entry }) => ({ ...entry, failed_checks: failed_checks.join(', ') })),
  nextPage: nextAfter,
  dependsOn: dependOnReadings,
  run: queueEntries,
});

export const getQueueBatches = operation({
  method: 'GET',
  path: '/api/codehost/merge-queue/batches',
  summary: 'What a merge queue merged, in one push each, the last first; CSV: the page',
  access: feature('mergeQueue'),
  input: z.object({
    ...repository,
    branch,
    ...span,
    size: identifier.optional().meta({ description: 'Batches of so many pull requests.' }),
    cursor: z
      .string()
      .regex(/^\d{1,16}\.\d{1,16}$/, 'is no next_cursor of an answer')
      .optional()
      .meta({ description: '`next_cursor` of the page before.' }),
    limit: clamped(1, 1000, 100),
  }),
  output: QueueBatches,
  rows: ({ batches }) =>
    batches.map(({ numbers, merge_shas, ...batch }) => ({
      ...batch,
      numbers: numbers.join(' '),
      merge_shas: merge_shas.join(' '),
    })),
  nextPage: nextAfter,
  dependsOn: dependOnReadings,
  run: queueBatches,
});
