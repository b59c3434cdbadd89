import { z } from 'zod';
import { reasonGroups } from '../../domain/queue-reasons.ts';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';

export const entryOutcomes = ['merged', 'ejected', 'removed', 'open'] as const;

const minutes = z.number().nullable();

const deployedAt = instant.nullable().meta({
  description:
    'When the first successful production deployment with it ended; null where there was none, or deployments of that time are not stored.',
});

const QueueStay = z
  .object({
    number: z.int(),
    html_url: z.string().nullable(),
    entered_at: instant.nullable().meta({ description: 'null where only its removal is known.' }),
    left_at: instant.nullable().meta({ description: 'null while it is in the queue.' }),
    outcome: z.enum(entryOutcomes).meta({
      description:
        'ejected: removed by the queue itself. removed: by a person, by new commits, or for an unknown reason.',
    }),
    reason: z.string().nullable().meta({ description: 'As GitHub says it.' }),
    group: z.enum(reasonGroups).nullable(),
    minutes: minutes.meta({ description: 'In the queue; of one that is still in it, so far.' }),
    attempts: z.int().meta({ description: 'Entries of the pull request up to this one.' }),
    first_entered_at: instant.nullable().meta({ description: 'Of these entries, when the first began.' }),
    checks_rounds: z.int().nullable().meta({ description: 'Builds of its merge group; null where no run is stored.' }),
    checks_minutes: minutes.meta({ description: 'Of the first build, from the creation of its first run.' }),
    failed_checks: z.array(z.string()).meta({
      description:
        'What failed in the last build of an ejection: `workflow / job`, or the workflow where its jobs are not stored.',
    }),
    merged_unchanged: z
      .boolean()
      .nullable()
      .meta({ description: 'Of a removed one, whether it was merged later with the same head; null: not known.' }),
    batch_id: z.string().nullable().meta({ description: 'The same for all that reached the branch in one push.' }),
    merge_sha: z.string().nullable(),
    deployed_at: deployedAt,
    inferred: z.boolean().meta({ description: 'Its removal was not recorded: the end of the pull request tells it.' }),
    source: z.enum(['timeline', 'webhook']),
  })
  .meta({ id: 'QueueStay' });

const listing = {
  used: z.boolean().meta({ description: 'Whether the branch has a queue, or had one that is known of.' }),
  branch: z.string().nullable(),
  branches: z.array(z.string()).meta({ description: 'Branches with a queue, the busiest first.' }),
  window: z.object({ from: instant, to: instant }),
  pull_requests_unread: z
    .int()
    .meta({ description: 'Of the window, those that were read before queues were: their entries are missing.' }),
  coverage: Coverage,
  ...provenance,
};

/** What lists of a queue say of themselves. */
export const QueueListing = z.object(listing);

const total = z.int().meta({ description: 'Those that match, on all pages.' });
const nextCursor = z.string().nullable().meta({ description: 'null: there are no more.' });

/** The entries behind the figures of a merge queue; contract of the three answers, section 2.8. */
export const QueueEntries = z
  .object({
    ...listing,
    total,
    entries: z.array(QueueStay).meta({ description: 'Those in the queue first, then the last that left.' }),
    next_cursor: nextCursor,
  })
  .meta({ id: 'QueueEntries' });

/** What the queue merged in one push each; the same section. */
export const QueueBatches = z
  .object({
    ...listing,
    total,
    batches: z.array(
      z
        .object({
          id: z.string().meta({ description: 'The `batch_id` of its entries.' }),
          left_at: instant.meta({ description: 'When the last of it was merged.' }),
          size: z.int(),
          basis: z.enum(['commits', 'time']).meta({
            description:
              'time: commits are not known, so that merges within 10 seconds of one another are taken together.',
          }),
          numbers: z.array(z.int()).meta({ description: 'Pull requests in the order of their merges.' }),
          merge_shas: z.array(z.string()),
          deployed_at: deployedAt,
          deployed_basis: z.enum(['commits', 'time']).nullable().meta({
            description: 'time: the deployed commit is no merge that is known, and the deployment began after it.',
          }),
          train_id: z.string().nullable().meta({
            description: 'The id of that deployment: the same for all batches that it was the first to have.',
          }),
        })
        .meta({ id: 'QueueBatch' }),
    ),
    next_cursor: nextCursor,
  })
  .meta({ id: 'QueueBatches' });
