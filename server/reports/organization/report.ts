import { z } from 'zod';
import { type Context, callerKey, type Reply, type Services } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import { type AnswerCache, memoryAnswers } from '../../facts/answers.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { getOutcome } from '../../metrics/kernel/outcome.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { orgRuns, type RepositoryRuns } from '../../metrics/runs/org-summary.ts';
import { runTrend } from '../../metrics/runs/trend.ts';
import { successRate } from '../../metrics/runs/workflow-runs.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { Coverage, type CoverageReason, toCoverage } from '../kernel/coverage.ts';
import { provenance } from '../kernel/instants.ts';
import { noteListing } from '../kernel/notes.ts';
import { verdict } from '../kernel/verdict.ts';
import { RepoItem, repoItem } from '../repositories/list.ts';
import { nameKey } from '../repositories/visibility.ts';
import { RunSummary, summarize } from '../runs/summary.ts';
import { judgeSuccess, readBefore } from './before.ts';
import {
  isStateComplete,
  type OrganizationReading,
  overviewDays,
  type ReadRepository,
  readOrganization,
} from './reading.ts';

const count = z.int().nullable();

export const OrgOverview = z
  .object({
    org: z.string(),
    total_repos: z.int().meta({ description: 'Repositories that the caller can see, archived ones included.' }),
    archived_repos: z.int(),
    active_repos: count.meta({ description: 'With a run in the window, excluding archived; null if unknown.' }),
    active_scope: z.enum(['org', 'listed']).meta({ description: 'Whether all repositories could be counted.' }),
    repos_attempted: z.int(),
    repos_failed: z.array(z.string()).meta({ description: 'Those whose runs could not be read; they are listed.' }),
    limit: z.int(),
    aggregate: z.object({
      window_days: z.literal(overviewDays),
      total_runs: count.meta({ description: 'Runs created in the window, of the listed repositories.' }),
      uncounted_repos: z
        .int()
        .meta({ description: 'Above 0, both the runs and the active repositories are lower bounds.' }),
      pooled_success_rate: count.meta({ description: 'Percent of all runs read that passed or failed.' }),
      pooled_success_rate_sample: z.int(),
      pooled_passed_runs: z.int().meta({ description: 'Of `pooled_success_rate_sample`, those that passed.' }),
      avg_success_rate: count.meta({ description: 'Mean of the rates of the repositories, each of the same weight.' }),
      avg_success_rate_sample: z.int(),
    }),
    before: z
      .object({
        active_repos: count.meta({ description: 'null unless the runs of all visible repositories are stored.' }),
        total_runs: z.int(),
        pooled_success_rate: count,
        pooled_success_rate_sample: z.int(),
        pooled_passed_runs: z.int(),
      })
      .nullable()
      .meta({
        description:
          'Of the same repositories in the previous 30 days; null unless all runs of both periods are known of each.',
      }),
    verdicts: z
      .object({ pooled_success_rate: verdict })
      .meta({ description: 'What `aggregate` is, compared with `before`.' }),
    repos: z
      .array(
        z.object({
          repo: RepoItem,
          summary: RunSummary.meta({
            description: 'Of the newest 100 runs, whatever their age; of all runs of the window where they are stored.',
          }),
          workflow_count: count.meta({ description: 'Workflow files on the default branch.' }),
          runs_30d: count.meta({ description: 'null when they could not be counted.' }),
          partial: z
            .boolean()
            .meta({ description: 'Not every run of the window, or not the workflow files, were read.' }),
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

/** What an organization's runs come to, and the repositories with the latest activity. Cached 15 minutes per caller. */
export async function orgOverview(
  { org, limit }: OverviewInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof OrgOverview>> {
  const codehost = await context.codehost();
  const listing = await codehost.repositories.ofOrganization(org);
  const cache = getCache(context.services);
  const key = await callerKey(context, 'overview', org, limit);
  const known = await cache.get<Answer>(key);
  const isVisible = new Set(listing.items.map(nameKey));
  const isKnown = known?.value.repos.every(({ repo: { owner, name } }) =>
    isVisible.has(nameKey({ owner, repo: name })),
  );
  if (known && isKnown) {
    noteListing(reply, { ...listing, partial: known.value.partial, asOf: known.value.generatedAt });
    return known.value;
  }
  const calendar = await teamCalendar(context);
  const reading = await readOrganization({ org, limit }, listing, context);
  const answer = toAnswer({ org, limit }, { ...reading, before: await readBefore(org, reading, context) }, calendar);
  const isStale = listFreshness(reading).some(({ stale }) => stale);
  const partialReason = joinedReasons([listing.partialReason, reading.partialReason]);
  noteListing(reply, {
    ...listing,
    partialReason,
    stale: isStale,
    partial: answer.partial,
    asOf: answer.generatedAt,
  });
  const now = context.services.clock.now();
  // A denied one counts as read; what failed may come out otherwise.
  const isComplete = reading.repositories.every(
    (one) => (one.failure === null || one.failure === 'forbidden') && isStateComplete(one),
  );
  if (!isStale && isComplete) await cache.put(key, answer, now, now + cacheTtlMs);
  return answer;
}

type Answer = Domain<typeof OrgOverview>;

const cacheTtlMs = 15 * 60_000;

const caches = new WeakMap<AnswerCache, AnswerCache>();

/** Lists of private repositories stay in this process. */
function getCache({ answers, clock }: Services): AnswerCache {
  const cache = caches.get(answers) ?? memoryAnswers(clock);
  caches.set(answers, cache);
  return cache;
}

const listFreshness = ({ listing, repositories }: OrganizationReading) => [
  listing,
  ...repositories.flatMap(({ history, state }) => [history ?? [], state ?? []].flat()),
];

type Read = OrganizationReading & Pick<Answer, 'before'>;

function toAnswer(params: OverviewInput, reading: Read, calendar: Calendar): Answer {
  const { listing, repositories, activeElsewhere, before } = reading;
  const read = repositories.map((one) => ({ ...one, item: toItem(one, reading, calendar) }));
  const runs = read.map((one) => toRuns(one, one.item.summary.successRate));
  const aggregate = computeAggregate(runs);
  const coverage = toCoverage({
    expected: repositories.length,
    read: repositories.filter(({ history }) => history?.complete).length,
    reasons: findReasons(reading),
  });
  return {
    ...params,
    totalRepos: listing.items.length,
    archivedRepos: listing.items.filter(({ archived }) => archived).length,
    activeRepos: computeCounts(reading).active,
    activeScope: activeElsewhere === null ? 'listed' : 'org',
    reposAttempted: repositories.length,
    reposFailed: read.flatMap(({ history, repository }) => (history ? [] : `${repository.owner}/${repository.repo}`)),
    aggregate,
    before,
    verdicts: { pooledSuccessRate: judgeSuccess(aggregate, before) },
    repos: read.map(({ item }) => item).sort((a, b) => findLastActivity(b) - findLastActivity(a)),
    partial: !coverage.complete,
    coverage,
    generatedAt: Math.min(...listFreshness(reading).map(({ asOf }) => asOf)),
    dataSource: repositories.some(({ history }) => history?.source === 'mixed') ? 'mixed' : 'live',
  };
}

/** Repositories with a run in the window, and the runs of those listed; null when they could not be counted. */
export function computeCounts({ repositories, activeElsewhere }: OrganizationReading) {
  const counted = (among: readonly ReadRepository[]) => orgRuns(among.map((one) => toRuns(one, null)));
  const { activeRepositories } = counted(repositories.filter(({ repository }) => !repository.archived));
  return {
    active: activeRepositories === null ? null : activeRepositories + (activeElsewhere ?? []).length,
    runs: counted(repositories).totalRuns,
  };
}

type Item = Answer['repos'][number];

/** Without its runs a repository is listed all the same, with what is not known left open. */
function toItem(read: ReadRepository, { window }: OrganizationReading, calendar: Calendar): Item {
  const { repository, history, state } = read;
  const { defaultBranch } = repository;
  const complete = history?.complete ?? false;
  const runs = history?.runs ?? [];
  const about = { now: window.to, calendar, defaultBranch, complete };
  return {
    repo: repoItem(repository),
    // The newest runs alone do not reach through the days where older ones of the window are known, too.
    summary: { ...summarize(runs, about), trend30d: runTrend(complete ? (history?.recent ?? []) : runs, about) },
    workflowCount: state?.workflowFiles ?? null,
    runs30d: history?.total ?? null,
    partial: !complete || !isStateComplete(read),
  };
}

function toRuns({ history }: ReadRepository, rate: number | null): RepositoryRuns {
  const { counted } = successRate.evidence(history?.recent ?? []);
  const passed = counted.filter((run) => getOutcome(run) === 'pass').length;
  return { successRate: rate, passed, failed: counted.length - passed, totalRuns: history?.total ?? null };
}

function computeAggregate(runs: readonly RepositoryRuns[]): Answer['aggregate'] {
  return {
    windowDays: overviewDays,
    ...orgRuns(runs),
    pooledSuccessRateSample: runs.reduce((sum, { passed, failed }) => sum + passed + failed, 0),
    avgSuccessRateSample: runs.filter((one) => one.successRate !== null).length,
  };
}

/** What is missing of repositories or of their runs. */
export function findReasons({ listing, repositories }: OrganizationReading): CoverageReason[] {
  const failures = repositories.flatMap(({ failure }) => failure ?? []);
  const isTruncated = repositories.some(({ history }) => history && !history.complete);
  return [
    ...failures,
    ...(isTruncated ? ['page_cap' as const] : []),
    ...(repositories.every(isStateComplete) ? [] : ['sub_fetch_failed' as const]),
    ...(listing.partial ? ['upstream_truncated' as const] : []),
  ];
}

const findLastActivity = ({ repo, summary }: Item): Instant => Math.max(repo.pushedAt ?? 0, summary.latestRunAt ?? 0);
