import { z } from 'zod';
import type { Context, Reply, Services } from '../access/context.ts';
import { type AnswerShelf, memoryAnswers } from '../facts/answers.ts';
import type { Instant } from '../metrics/facts.ts';
import { orgRuns, type RepositoryRuns } from '../metrics/org-summary.ts';
import { outcomeOf } from '../metrics/outcome.ts';
import type { Calendar } from '../metrics/workday-hours.ts';
import { successRate } from '../metrics/workflow-runs.ts';
import { teamCalendar } from './calendar.ts';
import { Coverage, type CoverageReason, coverageOf } from './coverage.ts';
import { iso, provenance } from './instants.ts';
import { noteListing } from './notes.ts';
import { callerKey } from './org-overview-caller.ts';
import {
  type OrganizationReading,
  overviewDays,
  type ReadRepository,
  readOrganization,
} from './org-overview-reading.ts';
import { RepoItem, repoItem } from './repositories.ts';
import { RunSummary, summarize } from './run-summary.ts';
import { nameKey } from './visibility.ts';

const count = z.int().nullable();

export const OrgOverview = z
  .object({
    org: z.string(),
    total_repos: z.int().meta({ description: 'Repositories that the caller can see, archived ones included.' }),
    archived_repos: z.int(),
    active_repos: count.meta({ description: 'With a run in the window, archived ones left out; null if unknown.' }),
    active_scope: z.enum(['org', 'listed']).meta({ description: 'Whether all repositories could be counted.' }),
    repos_attempted: z.int(),
    repos_failed: z.array(z.string()).meta({ description: 'Those whose runs could not be read; they are listed.' }),
    limit: z.int(),
    aggregate: z.object({
      window_days: z.literal(overviewDays),
      total_runs: count.meta({ description: 'Runs created in the window, of the listed repositories.' }),
      uncounted_repos: z
        .int()
        .meta({ description: 'Above 0, both the runs and the active repositories are at least.' }),
      pooled_success_rate: count.meta({ description: 'Percent of all runs read that passed or failed.' }),
      pooled_success_rate_sample: z.int(),
      avg_success_rate: count.meta({ description: 'Mean of the rates of the repositories, each of the same weight.' }),
      avg_success_rate_sample: z.int(),
    }),
    repos: z
      .array(
        z.object({
          repo: RepoItem,
          summary: RunSummary.meta({
            description: 'Of the newest 100 runs, whatever their age; of all runs of the window where they are stored.',
          }),
          workflow_count: count.meta({ description: 'Workflow files on the default branch.' }),
          runs_30d: count.meta({ description: 'null when they could not be counted.' }),
          partial: z.boolean().meta({ description: 'Not every run of the window was read.' }),
        }),
      )
      .meta({ description: 'Latest activity first.' }),
    partial: z.boolean(),
    coverage: Coverage.meta({ description: 'Counted in repositories whose runs were all read.' }),
    ...provenance,
  })
  .meta({ id: 'OrgOverview' });

export interface OverviewInput {
  org: string;
  limit: number;
}

/** What an organization's runs come to, and the repositories with the latest activity. Kept 15 minutes per caller. */
export async function orgOverview(
  { org, limit }: OverviewInput,
  context: Context,
  reply: Reply,
): Promise<z.input<typeof OrgOverview>> {
  const codehost = await context.codehost();
  const listing = await codehost.repositories.ofOrganization(org);
  const shelf = shelfOf(context.services);
  const key = await callerKey(context, 'overview', org, limit);
  const known = await shelf.get<Answer>(key);
  const isVisible = new Set(listing.items.map(nameKey));
  const isKnown = known?.value.repos.every(({ repo: { owner, name } }) =>
    isVisible.has(nameKey({ owner, repo: name })),
  );
  if (known && isKnown) {
    noteListing(reply, { ...listing, partial: known.value.partial, asOf: Date.parse(known.value.generated_at) });
    return known.value;
  }
  const calendar = await teamCalendar(context);
  const reading = await readOrganization({ org, limit }, listing, context);
  const answer = answerOf({ org, limit }, reading, calendar);
  const isStale = freshnessOf(reading).some(({ stale }) => stale);
  noteListing(reply, { ...listing, stale: isStale, partial: answer.partial, asOf: Date.parse(answer.generated_at) });
  const now = context.services.clock.now();
  // A refusal is as good as an answer; what failed may come out otherwise.
  const isWhole = reading.repositories.every(({ failure }) => failure === null || failure === 'forbidden');
  if (!isStale && isWhole) await shelf.put(key, answer, now, now + keptMs);
  return answer;
}

type Answer = z.input<typeof OrgOverview>;

const keptMs = 15 * 60_000;

const shelves = new WeakMap<AnswerShelf, AnswerShelf>();

/** Lists of private repositories stay in this process. */
function shelfOf({ answers, clock }: Services): AnswerShelf {
  const shelf = shelves.get(answers) ?? memoryAnswers(clock);
  shelves.set(answers, shelf);
  return shelf;
}

const freshnessOf = ({ listing, repositories }: OrganizationReading) => [
  listing,
  ...repositories.flatMap(({ history, state }) => [history ?? [], state ?? []].flat()),
];

function answerOf(asked: OverviewInput, reading: OrganizationReading, calendar: Calendar): Answer {
  const { listing, repositories, activeElsewhere } = reading;
  const read = repositories.map((one) => ({ ...one, item: itemOf(one, reading, calendar) }));
  const runs = read.map((one) => runsOf(one, one.item.summary.success_rate));
  const coverage = coverageOf({
    expected: repositories.length,
    read: repositories.filter(({ history }) => history?.complete).length,
    reasons: reasonsOf(reading),
  });
  return {
    ...asked,
    total_repos: listing.items.length,
    archived_repos: listing.items.filter(({ archived }) => archived).length,
    active_repos: countsOf(reading).active,
    active_scope: activeElsewhere === null ? 'listed' : 'org',
    repos_attempted: repositories.length,
    repos_failed: read.flatMap(({ history, repository }) => (history ? [] : `${repository.owner}/${repository.repo}`)),
    aggregate: aggregateOf(runs),
    repos: read.map(({ item }) => item).sort((a, b) => activityOf(b) - activityOf(a)),
    partial: !coverage.complete,
    coverage,
    generated_at: iso(Math.min(...freshnessOf(reading).map(({ asOf }) => asOf))),
    data_source: repositories.some(({ history }) => history?.source === 'mixed') ? 'mixed' : 'live',
  };
}

/** Repositories with a run in the window, and the runs of those listed; null when they could not be counted. */
export function countsOf({ repositories, activeElsewhere }: OrganizationReading) {
  const counted = (among: readonly ReadRepository[]) => orgRuns(among.map((one) => runsOf(one, null)));
  const { activeRepositories } = counted(repositories.filter(({ repository }) => !repository.archived));
  return {
    active: activeRepositories === null ? null : activeRepositories + (activeElsewhere ?? []).length,
    runs: counted(repositories).totalRuns,
  };
}

type Item = Answer['repos'][number];

/** Without its runs a repository is listed all the same, with what is not known left open. */
function itemOf(
  { repository, history, state }: ReadRepository,
  { window }: OrganizationReading,
  calendar: Calendar,
): Item {
  const { defaultBranch } = repository;
  const complete = history?.complete ?? false;
  return {
    repo: repoItem(repository),
    summary: summarize(history?.runs ?? [], { now: window.to, calendar, defaultBranch, complete }),
    workflow_count: state?.workflowFiles ?? null,
    runs_30d: history?.total ?? null,
    partial: !complete,
  };
}

function runsOf({ history }: ReadRepository, rate: number | null): RepositoryRuns {
  const { counted } = successRate.evidence(history?.recent ?? []);
  const passed = counted.filter((run) => outcomeOf(run) === 'pass').length;
  return { successRate: rate, passed, failed: counted.length - passed, totalRuns: history?.total ?? null };
}

function aggregateOf(runs: readonly RepositoryRuns[]): Answer['aggregate'] {
  const { totalRuns, uncounted, pooledSuccessRate, avgSuccessRate } = orgRuns(runs);
  return {
    window_days: overviewDays,
    total_runs: totalRuns,
    uncounted_repos: uncounted,
    pooled_success_rate: pooledSuccessRate,
    pooled_success_rate_sample: runs.reduce((sum, { passed, failed }) => sum + passed + failed, 0),
    avg_success_rate: avgSuccessRate,
    avg_success_rate_sample: runs.filter((one) => one.successRate !== null).length,
  };
}

/** What is missing of repositories or of their runs. */
export function reasonsOf({ listing, repositories }: OrganizationReading): CoverageReason[] {
  const failures = repositories.flatMap(({ failure }) => failure ?? []);
  const isCut = repositories.some(({ history }) => history && !history.complete);
  return [
    ...failures,
    ...(isCut ? ['page_cap' as const] : []),
    ...(listing.partial ? ['upstream_truncated' as const] : []),
  ];
}

const activityOf = ({ repo, summary }: Item): Instant =>
  Math.max(...[repo.pushed_at, summary.latest_run_at].map((at) => (at ? Date.parse(at) : 0)));
