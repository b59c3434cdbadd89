import type { RecordedAttempt, RecordedJob } from '../../server/advisor/history.ts';
import { type AdvisedRepository, type Recommendation, recommend } from '../../server/advisor/recommend.ts';
import { minutesOf } from '../../server/advisor/replay/days.ts';
import type { ActionKnowledge } from '../../server/scan/action-knowledge.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const now = Date.parse('2026-11-22T09:00:00Z');

let lastId = 0;

/** A completed attempt of an hour ago that passed in ten minutes, with these changes. */
export function anAttempt(parts: Partial<RecordedAttempt> = {}): RecordedAttempt {
  lastId++;
  const arrivedAt = parts.arrivedAt ?? now - 2 * day;
  return {
    runId: lastId,
    attempt: 1,
    runNumber: lastId,
    workflowId: 7001,
    event: 'pull_request',
    headBranch: `change-${lastId}`,
    headSha: `sha-${lastId}`,
    conclusion: 'success',
    htmlUrl: `https://codehost.example/runs/${lastId}`,
    arrivedAt,
    endedAt: arrivedAt + 10 * minute,
    jobs: [],
    billedMinutes: (parts.jobs ?? []).reduce((sum, job) => sum + (minutesOf(job) ?? 0), 0),
    ...parts,
  };
}

/** A job that took so many minutes from `startedAt` on. */
export function aJob(
  name: string,
  startedAt: number,
  minutes: number,
  conclusion: 'success' | 'failure' = 'success',
): RecordedJob {
  lastId++;
  return {
    id: lastId,
    name,
    status: 'completed',
    conclusion,
    createdAt: startedAt,
    startedAt,
    completedAt: startedAt + minutes * minute,
    labels: ['ubuntu-24.04'],
    runnerGroup: null,
    isTaken: true,
    steps: [],
  };
}

/** A private repository of which nothing is known, with these changes. */
export const anAdvisedRepository = (parts: Partial<AdvisedRepository> = {}): AdvisedRepository => ({
  id: 42,
  kindsOff: [],
  defaultBranch: 'main',
  files: [],
  hasUnreadFiles: false,
  rootFiles: null,
  cacheBytes: null,
  requiredChecks: null,
  documentation: null,
  workflowIds: new Map(),
  around: { visibility: 'private', largerRunnerLabels: [], actions: null },
  attempts: null,
  days: [],
  longestPassing: [],
  largerRunners: {},
  deployedAt: [],
  now,
  ...parts,
});

interface Surroundings extends Partial<Omit<AdvisedRepository, 'around'>> {
  actions?: ActionKnowledge | null;
  others?: Record<string, string>;
}

/** Recommendations for `ci.yml` with this text. */
export function recommendFor(
  text: string,
  { actions = null, others = {}, ...parts }: Surroundings = {},
): Recommendation[] {
  const files = Object.entries({ 'ci.yml': text, ...others }).map(([name, content]) => ({
    path: `.github/workflows/${name}`,
    text: content,
  }));
  const attempts = parts.attempts?.toSorted((one, other) => one.arrivedAt - other.arrivedAt) ?? null;
  return recommend(
    anAdvisedRepository({
      ...parts,
      files,
      workflowIds: new Map([['.github/workflows/ci.yml', 7001]]),
      around: { visibility: 'private', largerRunnerLabels: [], actions },
      attempts,
    }),
  ).filter(({ path }) => path.endsWith('/ci.yml'));
}

/** The one of this kind; undefined without. */
export const only = (all: readonly Recommendation[], kind: string): Recommendation | undefined =>
  all.find((one) => one.kind.id === kind);
