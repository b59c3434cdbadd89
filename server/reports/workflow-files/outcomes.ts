import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { WorkflowChange } from '../../codehost/workflow-changes/client.ts';
import {
  changesBeforeFailures,
  type FailuresAfter,
  type FileChange,
  type JudgedChange,
  judgeChanges,
} from '../../metrics/delivery/failing-changes.ts';
import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { noteCanonicalName, noteListing } from '../kernel/notes.ts';
import { RunRef, runRef } from '../reliability/schema.ts';
import { Measurement, measure } from '../workflows/health.ts';
import { type FileRuns, fileRuns } from './runs.ts';

const FailuresItem = z
  .object({
    path: z.string(),
    passed_before: RunRef,
    first_failed: RunRef,
    failed_at: instant.meta({ description: 'Creation of the first run that failed.' }),
    failures: z.int().meta({ description: 'Failed runs in a row, at least two.' }),
    lasts: z.boolean().meta({ description: 'Nothing has passed since.' }),
  })
  .meta({ id: 'FailuresItem' });

const ChangeOutcome = z
  .object({
    sha: z.string(),
    committed_at: instant,
    html_url: z.string(),
    followed_by_failures: z.boolean().nullable().meta({ description: 'null when it is unknown.' }),
    unknown: z.string().nullable().meta({ description: 'Why it is unknown of some files; null when it is not.' }),
    failures: z.array(FailuresItem).meta({ description: 'By file.' }),
  })
  .meta({ id: 'ChangeOutcome' });

/** After which changes of workflow files runs failed; a sequence in time, not a cause. */
export const ChangeOutcomesReport = z
  .object({
    default_branch: z.string().nullable(),
    runs_source: z.enum(['kept', 'live']).meta({
      description: 'Stored runs of each workflow, at most 1,000; or the newest 100 of the repository, of every branch.',
    }),
    runs_read: z.int().meta({ description: 'Of them, those on the default branch.' }),
    runs_from: instant.nullable().meta({ description: 'Creation of the oldest; null without any.' }),
    runs_through: instant.meta({ description: 'What was created later is not known.' }),
    measurement: Measurement,
    changes: z.array(ChangeOutcome).meta({ description: 'Newest first.' }),
    ...provenance,
  })
  .meta({ id: 'ChangeOutcomesReport' });

/** A commit with what its evidence shows. */
export type WorkflowFileCommit = FileChange & Pick<WorkflowChange, 'sha' | 'message' | 'htmlUrl'>;

export interface ChangeOutcomes extends FileRuns {
  repository: Repository;
  judged: JudgedChange<WorkflowFileCommit>[];
  partial: boolean;
  asOf: number;
}

/** Reads the changes of workflow files and the runs around each. */
export async function readChangeOutcomes(
  { limit, ...name }: RepositoryName & { limit: number },
  context: Context,
  reply: Reply,
): Promise<ChangeOutcomes> {
  const codehost = await context.codehost();
  const [repository, listing] = await Promise.all([
    codehost.repositories.get(name),
    codehost.workflowChanges(name, limit),
  ]);
  noteListing(reply, listing);
  noteCanonicalName(reply, codehost, name);
  const changes = listing.items.map(({ sha, message, htmlUrl, committedAt, files }): WorkflowFileCommit => {
    const paths = files?.flatMap(({ path, change }) => (change === 'removed' ? [] : path)) ?? null;
    return { sha, message, htmlUrl, committedAt, paths };
  });
  const runs = await fileRuns(repository, new Set(changes.flatMap(({ paths }) => paths ?? [])), context, reply);
  const judged = judgeChanges(changes, runs.runsByFile);
  return { ...runs, repository, judged, partial: listing.partial, asOf: Math.min(listing.asOf, runs.through) };
}

/** After which changes of workflow files the runs of their workflows failed. */
export async function workflowChangeOutcomes(
  input: RepositoryName & { limit: number },
  context: Context,
  reply: Reply,
): Promise<Domain<typeof ChangeOutcomesReport>> {
  const { repository, judged, runsByFile, source, from, through, asOf } = await readChangeOutcomes(
    input,
    context,
    reply,
  );
  return {
    defaultBranch: repository.defaultBranch,
    runsSource: source,
    runsRead: [...runsByFile.values()].reduce((sum, runs) => sum + runs.length, 0),
    runsFrom: from,
    runsThrough: through,
    measurement: measure(changesBeforeFailures, judged),
    changes: judged.map(outcomeItem),
    generatedAt: asOf,
    dataSource: source === 'kept' ? 'mixed' : 'live',
  };
}

const outcomeItem = ({ change, failures, unknown }: JudgedChange<WorkflowFileCommit>) => ({
  ...change,
  unknown,
  followedByFailures: failures.length > 0 ? true : unknown === null ? false : null,
  failures: failures.map(failuresItem),
});

const failuresItem = ({ path, passedBefore, firstFailed, failures, lasts }: FailuresAfter) => ({
  path,
  failures,
  lasts,
  passedBefore: runRef(passedBefore),
  firstFailed: runRef(firstFailed),
  failedAt: firstFailed.createdAt,
});
