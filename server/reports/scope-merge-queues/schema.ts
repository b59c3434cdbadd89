import { z } from 'zod';
import { instant, provenance } from '../kernel/instants.ts';
import { coveredRepositories } from '../kernel/repository-coverage.ts';

const count = z.int().nullable();
const figure = z.number().nullable();
const minutes = figure.meta({ description: 'Minutes, of the stays that merged.' });

const QueueRow = z
  .object({
    repo: z.string(),
    branch: z.string(),
    length: count.meta({
      description:
        'In the queue; null, as are ejections and throughput, where open pull requests were not read lately, or not all.',
    }),
    length_as_of: instant.nullable().meta({ description: 'When that was so.' }),
    queue_time_p50: minutes,
    queue_time_p90: minutes,
    ejection_rate: figure.meta({ description: 'Percent of merged and ejected entries.' }),
    throughput_per_hour: figure.meta({ description: 'Merged, in the hours in which the queue was not empty.' }),
    ci_minutes_per_merge: figure,
    attempts_per_merge: figure,
    change_pct: figure.meta({ description: 'Of `queue_time_p50`, against the equally long window before.' }),
    sample: count.meta({
      description:
        'Pull requests that the queue merged; null, as is every figure, where the window is not stored from its begin on.',
    }),
    sample_before: count.meta({ description: 'The same of the window before; null where that is not stored.' }),
    as_of: instant.nullable().meta({ description: 'Up to when its pull requests are stored; null: not read yet.' }),
    partial: z.boolean().meta({ description: 'Not all of the window is stored, or read with its queue.' }),
  })
  .meta({ id: 'QueueOfScope' });

/** The merge queues of an organization, from stored facts; contract of the three answers, section 2.8. */
export const ScopeMergeQueues = z
  .object({
    org: z.string(),
    queues: z.array(QueueRow).meta({ description: 'One for each branch with a queue, the slowest first.' }),
    waiting: count.meta({ description: 'In all queues of which it is known; null where it is known of none.' }),
    repos_without_queue: z.int().meta({
      description:
        'Repositories in which none was seen, of those whose window is stored, or whose default branch was looked at.',
    }),
    window_days: z.int(),
    covered: z.object(coveredRepositories).meta({ description: 'Of which repositories queues are known.' }),
    repos_included: z.int().meta({ description: 'Repositories of the organization of which anything is stored.' }),
    repos_visible: count.meta({ description: 'null where the list of repositories is incomplete.' }),
    as_of: instant.nullable().meta({ description: 'Of the queue that is least up to date.' }),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'ScopeMergeQueues' });
