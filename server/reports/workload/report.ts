import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Commit } from '../../metrics/kernel/delivery-facts.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { isWithin } from '../../metrics/kernel/window.ts';
import type { People } from '../../metrics/people/people.ts';
import { cliffPriorMinimum } from '../../metrics/people/silence.ts';
import { type Workday, type WorkloadRow, workloadRows, workloadThresholds } from '../../metrics/people/workload.ts';
import { isEmptyRepository } from '../bus-factor/commits.ts';
import { Coverage, toCoverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { openWork, type WorkloadDays, type WorkloadReading, workloadCommits } from './reading.ts';
import { computeTeam, WorkloadTeam } from './team.ts';

const pct = z.int().nullable();
const commitCount = z.int().nullable();
const openCount = z
  .int()
  .nullable()
  .meta({ description: 'null when not all open pull requests, or not who opened each of them, could be read.' });

const reasons = Coverage.shape.reasons;

const WorkloadPerson = z.object({
  login: z.string(),
  avatar_url: z.string(),
  is_bot: z.boolean(),
  linked_logins: z.array(z.string()),
  unlinked_name: z.boolean().meta({ description: 'Known by the name in their commits alone.' }),
  total_commits: commitCount.meta({
    description:
      'null, as all that depends on commits, while it could not be read of any commit who wrote it, or where commits ' +
      'could not be read and none of this person was.',
  }),
  recent_period_commits: commitCount.meta({ description: 'Of the last 14 days.' }),
  prior_period_commits: commitCount.meta({ description: 'Of the rest of the window.' }),
  last_commit_at: instant.nullable().meta({
    description: 'When the latest commit of the window came to the default branch: its commit time.',
  }),
  after_hours_commits: commitCount,
  weekend_commits: commitCount,
  outside_workday_commits: commitCount,
  after_hours_pct: pct.meta({ description: 'Before or after the workday, whatever the weekday.' }),
  weekend_pct: pct.meta({ description: 'On a Saturday or Sunday.' }),
  outside_workday_pct: pct.meta({ description: 'Either of the two.' }),
  open_pr_count: openCount,
  open_draft_count: openCount,
  flags: z.object({
    activity_cliff: z.boolean().nullable().meta({
      description: 'null when commits of the window were not read, and while the account goes on under another login.',
    }),
    after_hours: z.boolean().nullable(),
    concurrent_pr_overload: z.boolean().meta({ description: 'By the open pull requests that could be read.' }),
    weekend: z.boolean().nullable(),
  }),
  risk_score: z
    .int()
    .nullable()
    .meta({
      description:
        'How many of the flags are true; null where commits of the window, or not all open pull requests, could be read. ' +
        'A conversation starter.',
    }),
  sample_ok: z.boolean().nullable().meta({ description: 'At least five commits.' }),
});

export const WorkloadReport = z
  .object({
    people: z.array(WorkloadPerson),
    team: WorkloadTeam,
    total_commits_analysed: z.int().meta({ description: 'Commits of the window without merges.' }),
    window_days: z.union([z.literal(30), z.literal(42), z.literal(90)]),
    thresholds: z.object({
      after_hours_pct: z.int(),
      weekend_pct: z.int(),
      min_commits: z.int(),
      concurrent_prs: z.int(),
      cliff_recent_days: z.int(),
      cliff_prior_min_commits: z.int(),
    }),
    workday: z.object({ start: z.int(), end: z.int(), timezone: z.string() }),
    empty_repository: z.boolean().nullable(),
    partial: z.boolean(),
    coverage: Coverage,
    missing: z
      .object({ commits: reasons, open_pull_requests: reasons })
      .meta({ description: 'The reasons of `coverage` by what they are about.' }),
    ...provenance,
  })
  .meta({ id: 'WorkloadReport' });

interface WorkloadInput extends RepositoryName {
  days?: 30 | 90 | undefined;
}

/** When people of a repository work and how much they have open. Starting points for a talk, not verdicts. */
export async function workloadReport(
  { days, ...name }: WorkloadInput,
  context: Context,
  reply: Reply,
): Promise<Domain<typeof WorkloadReport>> {
  const facts = await repositoryFacts(name, context, reply);
  const windowDays = days ?? 42;
  const [reading, open] = await Promise.all([workloadCommits(facts, windowDays, context), openWork(facts)]);
  const coverage = toCoverage({
    ...reading.coverage,
    cap: reading.coverage.cap ?? open.cap,
    reasons: [...reading.coverage.reasons, ...open.reasons],
  });
  const asOf = Math.min(reading.asOf, open.asOf ?? reading.asOf);
  const partial = !coverage.complete;
  const { partialReason } = open;
  noteListing(reply, { partial, partialReason, stale: reading.stale || open.stale, asOf });
  const rows = workloadRows({
    commits: reading.commits,
    openPullRequests: open.items,
    isOpenKnown: open.reasons.length === 0,
    windowDays,
    now: reading.asOf,
    workday: reading.workday,
    people: facts.people,
    isCapped: reading.isTruncated,
    hasGaps: reading.hasGaps,
  });
  return {
    people: listPeople(rows, reading, facts.people),
    team: await computeTeam(reading, facts, context),
    totalCommitsAnalysed: reading.commits.filter(
      ({ parents, authoredAt }) => parents <= 1 && isWithin(authoredAt, reading.window),
    ).length,
    windowDays,
    thresholds: getThresholds(windowDays),
    workday: toWorkday(reading.workday),
    emptyRepository: await isEmptyRepository(facts, reading.commits),
    partial,
    coverage,
    missing: { commits: reading.coverage.reasons, openPullRequests: open.reasons },
    generatedAt: asOf,
    dataSource: reading.source,
  };
}

const getThresholds = (windowDays: WorkloadDays) => ({
  ...workloadThresholds,
  cliffPriorMinCommits: cliffPriorMinimum(windowDays),
});

const toWorkday = ({ start, end, calendar: { timezone } }: Workday) => ({ start, end, timezone });

function listPeople(
  rows: readonly WorkloadRow[],
  { commits, window }: WorkloadReading,
  people: People,
): Domain<typeof WorkloadPerson>[] {
  const latest = latestCommits(
    commits.filter(({ committedAt, isAuthorUnread }) => committedAt <= window.to && !isAuthorUnread),
    people,
  );
  return rows.map((row) => ({
    ...row,
    lastCommitAt: row.totalCommits ? (latest.get(formatName(row)) ?? null) : null,
  }));
}

/** An account and a bare name may be spelled alike without being the same person. */
const formatName = ({ login, isBot, unlinkedName }: Pick<WorkloadRow, 'login' | 'isBot' | 'unlinkedName'>) =>
  [login, isBot, unlinkedName].join(' ');

function latestCommits(commits: readonly Commit[], people: People): Map<string, Instant> {
  const written = Map.groupBy(
    commits.filter(({ parents }) => parents <= 1),
    people.toAuthorKey,
  );
  return new Map(
    [...people.authorRoster([...written.values()].flat())].map(([key, person]) => [
      formatName(person),
      Math.max(...(written.get(key) ?? []).map(({ committedAt }) => committedAt)),
    ]),
  );
}
