import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Codehost, Listing } from '../../codehost/client/client.ts';
import { pageSize } from '../../codehost/client/listing.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import { defaultBranchOnly } from '../../domain/default-branch.ts';
import { findAnomalies } from '../../metrics/kernel/anomalies.ts';
import { conclusions, type LiveWorkflowRun } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import { comparableWait, getQueueWait } from '../../metrics/runs/queue-wait.ts';
import { getDuration, isDefaultBranchRun } from '../../metrics/runs/workflow-runs.ts';
import { instant } from '../kernel/instants.ts';
import { noteCanonicalName, noteFreshness, noteListing, noteTotal } from '../kernel/notes.ts';
import { withJobWaits } from './job-waits.ts';

const Conclusion = z.enum(conclusions).nullable();
const Ms = z.int().nullable();

const ActorItem = z.object({ login: z.string(), avatar_url: z.string() }).nullable();

export const RunItem = z
  .object({
    id: z.int(),
    name: z.string().nullable(),
    display_title: z.string().nullable(),
    event: z.string(),
    head_branch: z.string().nullable(),
    head_sha: z.string(),
    html_url: z.string(),
    jobs_url: z.string(),
    run_attempt: z.int(),
    run_number: z.int(),
    status: z.string().nullable(),
    conclusion: Conclusion,
    created_at: instant,
    run_started_at: instant.nullable(),
    updated_at: instant,
    actor: ActorItem.meta({ description: 'Who caused the first attempt; null for a deleted account.' }),
    triggering_actor: ActorItem.meta({ description: 'Who caused the latest attempt.' }),
    duration_ms: Ms.meta({ description: 'Start to end of the latest attempt; null while it runs.' }),
    queue_wait_ms: Ms.meta({ description: 'Wait for a runner; null for a re-run without job data.' }),
    queue_wait_source: z.enum(['jobs', 'run']).nullable(),
    head_commit: z.object({ message: z.string(), author: z.object({ name: z.string() }).nullable() }).nullable(),
    pull_requests: z.array(z.object({ head_sha: z.string(), number: z.int(), url: z.string() })),
    outcome: z.enum(['pass', 'fail', 'void', 'running']),
    is_default_branch: z.boolean().nullable(),
    anomalies: z.array(
      z.object({
        metric: z.enum(['duration', 'queue_wait']),
        direction: z.enum(['high', 'low']),
        score: z.number(),
        severity: z.enum(['moderate', 'high', 'extreme']),
      }),
    ),
  })
  .meta({ id: 'RunItem' });

export interface RunsInput {
  owner: string;
  repo: string;
  workflow_id: number;
  per_page: number;
  /** Of all branches without it. */
  branch?: string | undefined;
}

/** The newest runs of one workflow, of all branches or of one, with what is unusual about them. */
export async function workflowRuns(input: RunsInput, context: Context, reply: Reply) {
  const { repository, listing } = await readWorkflowRuns(input, context, reply);
  noteTotal(reply, listing);
  return runItems(listing.items, repository.defaultBranch);
}

/** The newest runs of one workflow with the state of its repository; their freshness goes to the reply. */
export async function readWorkflowRuns(input: RunsInput, context: Context, reply: Reply) {
  const codehost = await context.codehost();
  const about = codehost.repositories.about(input);
  const [repository, listing] = await Promise.all([about, listNewest(input, codehost, about)]);
  noteListing(reply, { ...listing, partial: false });
  noteFreshness(reply, repository);
  noteCanonicalName(reply, codehost, input);
  // Stored facts are shared: an old answer does not prove that the caller may still see them.
  const isProven = !repository.stale && !listing.stale;
  const items = isProven ? await withJobWaits(repository, listing.items, context) : listing.items;
  return { repository, listing: { ...listing, items } };
}

/** One request, whichever branch. Who opens pull requests from a branch named as the default one is not on it. */
async function listNewest(
  { branch, per_page: perPage, ...input }: RunsInput,
  { runs }: Codehost,
  about: ReturnType<Codehost['repositories']['about']>,
): Promise<Listing<LiveWorkflowRun>> {
  if (branch === undefined) return runs.ofWorkflow(input, input.workflow_id, perPage);
  const isDefault = branch === defaultBranchOnly;
  const name = isDefault ? (await about).defaultBranch : branch;
  if (name === null) {
    const { stale, asOf } = await about;
    return { items: [], totalCount: 0, partial: false, stale, asOf };
  }
  const listed = await runs.ofBranch(input, input.workflow_id, name);
  const items = isDefault ? listed.items.filter((run) => isDefaultBranchRun(run, name)) : listed.items;
  const ofDefault = listed.partial ? null : items.length;
  const isCut = isDefault && items.length < perPage && hasOlder(listed);
  return {
    ...listed,
    items: items.slice(0, perPage),
    totalCount: isDefault ? ofDefault : listed.totalCount,
    partialReason: joinedReasons([listed.partialReason, isCut ? newestOnly : undefined]),
  };
}

/** Whether runs follow the one page of a branch that is read. */
const hasOlder = ({ partial, totalCount }: Listing<LiveWorkflowRun>): boolean =>
  partial && (totalCount === null || totalCount > pageSize);

const newestOnly = `only the newest ${pageSize} runs on a branch of that name were looked at`;

export function runItems(runs: LiveWorkflowRun[], defaultBranch: string | null): Domain<typeof RunItem>[] {
  const unusual = [
    ...findAnomalies(runs, { metric: 'duration', getValue: (run) => getDuration(run), defaultBranch }).anomalies,
    ...findAnomalies(runs, { metric: 'queue_wait', getValue: comparableWait(runs), defaultBranch }).anomalies,
  ];
  return runs.map((run) => ({
    ...run,
    name: run.workflowName,
    runAttempt: run.attempt,
    runStartedAt: run.startedAt,
    headCommit: run.headCommit && {
      message: run.headCommit.message,
      author: run.headCommit.authorName === null ? null : { name: run.headCommit.authorName },
    },
    outcome: getOutcome(run),
    durationMs: getDuration(run),
    queueWaitMs: getQueueWait(run).ms,
    queueWaitSource: getQueueWait(run).source,
    isDefaultBranch: defaultBranch === null ? null : isDefaultBranchRun(run, defaultBranch),
    anomalies: unusual.filter((one) => one.run === run),
  }));
}
