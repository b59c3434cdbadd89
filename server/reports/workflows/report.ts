import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository, RepositoryName, Workflow, WorkflowRun } from '../../metrics/kernel/facts.ts';
import { computeFlakiness } from '../../metrics/runs/flaky.ts';
import { conclusiveOnDefault } from '../../metrics/runs/health.ts';
import { durationPoints, failureStreak, isPass, mayBeLonger, newestFirst } from '../../metrics/runs/workflow-runs.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { instant } from '../kernel/instants.ts';
import { noteCanonicalName, noteFreshness, noteListing, noteTotal, readListing } from '../kernel/notes.ts';
import { knownUntil } from '../repositories/facts.ts';
import { overviewWindowMs, readOverviewRuns, type WorkflowRuns } from '../repositories/overview-runs.ts';
import { RunSummary, type SummaryWindow, summarize } from '../runs/summary.ts';

/** The contract has a text: the platform may add values of its own. */
const state = z.string().meta({
  examples: ['active', 'deleted', 'disabled_fork', 'disabled_inactivity', 'disabled_manually'],
});

export const WorkflowItem = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    state,
    html_url: z.string(),
    badge_url: z.string(),
    created_at: instant,
    updated_at: instant,
    is_dynamic: z.boolean().meta({ description: 'Managed by GitHub rather than by a file.' }),
  })
  .meta({ id: 'WorkflowItem' });

/** All workflows of a repository, the active ones first, then by name. */
export async function workflows(input: RepositoryName, context: Context, reply: Reply) {
  const items = await readListing(input, context, reply, (codehost, name) => codehost.workflows.list(name));
  return inOrder(items).map((workflow) => ({
    ...workflow,
    isDynamic: workflow.path.startsWith('dynamic/'),
  }));
}

const inOrder = (items: readonly Workflow[]) =>
  items.toSorted(
    (a, b) =>
      Number(a.state !== 'active') - Number(b.state !== 'active') || a.name.localeCompare(b.name) || a.id - b.id,
  );

export const WorkflowOverview = z
  .object({
    id: z.int(),
    name: z.string(),
    path: z.string(),
    state,
    partial: z.boolean().meta({
      description:
        'true when the newest 20 runs, or the last ten of the default branch that passed or failed, were not all read: rates and durations rest on fewer, see the samples.',
    }),
    default_branch: z
      .object({
        conclusion: z.enum(['passed', 'failed']),
        run_at: instant,
        failures: z.int().meta({ description: 'Failed runs since the last one that passed.' }),
        failures_lower_bound: z.boolean().meta({ description: 'Runs that were not read may add to them.' }),
      })
      .nullable()
      .meta({ description: 'Its latest run on the default branch that passed or failed; null without any.' }),
    summary: RunSummary.meta({ description: 'With nulls when no run of the workflow was read.' }),
    dur_points: z
      .array(
        z.object({
          run_number: z.int(),
          created_at: instant,
          duration_ms: z.int(),
          conclusion: z.string().nullable(),
        }),
      )
      .meta({ description: 'The last 20 conclusive runs that took time, oldest first.' }),
    flaky: z
      .object({
        rate_pct: z.int().nullable(),
        flaky_commits: z.int().nullable().meta({ description: 'Of `sample`; null where attempts are not known.' }),
        reruns_fixed: z.int().nullable(),
        sample: z.int(),
      })
      .meta({ description: 'null where runs were run again and their earlier attempts are not known.' }),
  })
  .meta({ id: 'WorkflowOverview' });

/** Every workflow of a repository with its recent history, within six requests to the platform. */
export async function repositoryOverview(input: RepositoryName, context: Context, reply: Reply) {
  const codehost = await context.codehost();
  const now = context.services.clock.now();
  const [calendar, { repository, list, runs }] = await Promise.all([
    teamCalendar(context),
    readOverviewRuns(input, codehost, now),
  ]);
  noteListing(reply, list);
  noteTotal(reply, list);
  noteListing(reply, runs.recent);
  for (const other of runs.others) noteListing(reply, { ...other, partial: false });
  noteFreshness(reply, repository);
  noteCanonicalName(reply, codehost, input);
  const until = knownUntil(now, [runs.recent, ...runs.others]);
  const window = { now: until, calendar, defaultBranch: repository.defaultBranch };
  // Stored facts are shared: an old answer does not prove that the caller may still see them.
  const earlier = repository.stale ? [] : await storedAttempts(repository, now - overviewWindowMs, context);
  const entries = inOrder(list.items).map((workflow) => entry(workflow, runs.forWorkflow(workflow), earlier, window));
  if (entries.some(({ partial }) => partial)) reply.headers.set('X-Partial', 'true');
  return entries;
}

type Entry = Domain<typeof WorkflowOverview>;

function entry(
  { id, name, path, state }: Workflow,
  { runs, judged, coversWindow, isEnough, hasAllOfDefault }: WorkflowRuns,
  earlier: readonly WorkflowRun[],
  window: Omit<SummaryWindow, 'complete'>,
): Entry {
  return {
    id,
    name,
    path,
    state,
    partial: !isEnough,
    defaultBranch: describeDefaultBranch([...runs, ...judged], window.defaultBranch, hasAllOfDefault),
    summary: summarize(runs, { ...window, complete: coversWindow }, judged),
    durPoints: durationPoints(runs),
    flaky: flaky(runs, earlier, window.now),
  };
}

function describeDefaultBranch(
  runs: readonly WorkflowRun[],
  branch: string | null,
  hasAll: boolean,
): Entry['defaultBranch'] {
  const onDefault = conclusiveOnDefault(runs, branch);
  const [latest] = newestFirst(onDefault);
  if (!latest) return null;
  const conclusion = isPass(latest) ? ('passed' as const) : ('failed' as const);
  const streak = failureStreak(onDefault);
  const failuresLowerBound = mayBeLonger(streak, hasAll);
  return { conclusion, runAt: latest.createdAt, failures: streak.value ?? 0, failuresLowerBound };
}

/** The platform lists latest attempts only; earlier ones are known where the repository is stored. */
async function storedAttempts(
  repository: Pick<Repository, 'id'>,
  since: number,
  { services }: Context,
): Promise<WorkflowRun[]> {
  const known = await services.store?.repositories.find(repository);
  return known ? ((await services.store?.runs.attempts(known.id, { since })) ?? []) : [];
}

/** Flakiness from attempts; unknown as soon as an earlier attempt of one of the runs is. */
function flaky(runs: readonly WorkflowRun[], stored: readonly WorkflowRun[], now: number) {
  const ids = new Set(runs.map((run) => run.id));
  const earlier = stored.filter((attempt) => ids.has(attempt.id));
  const flakiness = computeFlakiness([...runs, ...earlier], now);
  const isKnown = runs
    .filter((run) => run.attempt > 1 && run.createdAt >= now - overviewWindowMs)
    .every(
      (run) => earlier.filter(({ id, attempt }) => id === run.id && attempt < run.attempt).length === run.attempt - 1,
    );
  return isKnown ? flakiness : { ...flakiness, ratePct: null, flakyCommits: null, rerunsFixed: null };
}
