import type { Conclusion, Instant, RunStatus } from '../kernel/facts.ts';
import { getOutcome } from '../kernel/outcome.ts';

/** An attempt of a run of event `merge_group`. */
export interface GroupRun {
  id: number;
  attempt: number;
  number: number;
  workflowName: string | null;
  status: RunStatus;
  conclusion: Conclusion | null;
  headBranch: string | null;
  headSha: string;
  createdAt: Instant;
  startedAt: Instant | null;
  completedAt: Instant | null;
  htmlUrl: string | null;
  /** Those that are stored. */
  jobs: GroupJob[];
}

/** A job of such an attempt. */
export interface GroupJob {
  name: string;
  conclusion: Conclusion | null;
  startedAt: Instant | null;
  completedAt: Instant | null;
}

/** From the start of something that ran to its end; null while it runs. */
export interface RunSpan {
  from: Instant;
  to: Instant | null;
}

/** The checks of one merge group: everything that ran for one head of one of the platform's branches. */
export interface GroupBuild {
  headBranch: string;
  headSha: string;
  /** The base branch: the queue. null where the name of the branch does not say. */
  branch: string | null;
  /** The pull request of its newest entry; null where the name does not say. */
  number: number | null;
  baseSha: string | null;
  createdAt: Instant;
  /** When it ran: once, and again for each re-run that started after all else had ended. */
  spans: RunSpan[];
  /** null while anything runs. */
  completedAt: Instant | null;
  /** `void`: cancelled, as of a group that was built anew, or nothing that passes or fails. */
  result: 'pass' | 'fail' | 'void' | 'running';
  runs: GroupRun[];
}

const numbered = /^gh-readonly-queue\/(.+)\/pr-(\d+)-([0-9a-f]{40})$/;
const unnumbered = /^gh-readonly-queue\/(.+)\/[^/]*$/;

/** What the name of a branch of the queue says: `gh-readonly-queue/<base>/pr-<number>-<base sha>`. */
export function readGroupBranch(name: string): Pick<GroupBuild, 'branch' | 'number' | 'baseSha'> {
  const [, branch = null, number, baseSha = null] = numbered.exec(name) ?? [];
  if (branch !== null) return { branch, number: Number(number), baseSha };
  return { branch: unnumbered.exec(name)?.[1] ?? null, number: null, baseSha: null };
}

/** The builds of merge groups, oldest first. */
export function findBuilds(attempts: readonly GroupRun[]): GroupBuild[] {
  const distinct = [...new Map(attempts.map((one) => [`${one.id} ${one.attempt}`, one])).values()];
  const groups = Map.groupBy(distinct, ({ headBranch, headSha }) => `${headBranch} ${headSha}`);
  return [...groups.values()]
    .map(toBuild)
    .sort((a, b) => a.createdAt - b.createdAt || (a.headSha < b.headSha ? -1 : 1));
}

function toBuild(attempts: readonly GroupRun[]): GroupBuild {
  const runs = attempts.toSorted((a, b) => a.id - b.id || a.attempt - b.attempt);
  const [first] = runs;
  if (!first) throw new Error('A build has a run.');
  const latest = latestAttempts(runs);
  const headBranch = first.headBranch ?? '';
  const result = findResult(latest);
  const createdAt = Math.min(...runs.map((run) => run.createdAt));
  return {
    headBranch,
    headSha: first.headSha,
    ...readGroupBranch(headBranch),
    createdAt,
    spans: findSpans(runs, new Set(latest)),
    completedAt: result === 'running' ? null : Math.max(...latest.map((one) => one.completedAt ?? one.createdAt)),
    result,
    runs,
  };
}

/** What was superseded has ended, also where nobody said when. */
function findSpans(runs: readonly GroupRun[], latest: ReadonlySet<GroupRun>): RunSpan[] {
  const spans: RunSpan[] = [];
  const startOf = ({ startedAt, createdAt }: GroupRun) => startedAt ?? createdAt;
  for (const run of runs.toSorted((a, b) => startOf(a) - startOf(b))) {
    const from = startOf(run);
    const to = run.completedAt ?? (latest.has(run) ? null : from);
    const before = spans.at(-1);
    if (!before || (run.attempt > 1 && before.to !== null && before.to <= from)) spans.push({ from, to });
    else before.to = before.to === null || to === null ? null : Math.max(before.to, to);
  }
  return spans;
}

/** The latest attempt of each run. */
export const latestAttempts = (runs: readonly GroupRun[]): GroupRun[] => [
  ...new Map(runs.map((one) => [one.id, one])).values(),
];

function findResult(latest: readonly GroupRun[]): GroupBuild['result'] {
  const outcomes = latest.map(getOutcome);
  if (outcomes.includes('running')) return 'running';
  if (outcomes.includes('fail')) return 'fail';
  // One that was cancelled says nothing of the code, whatever else passed before.
  if (latest.some(({ conclusion }) => conclusion === 'cancelled' || conclusion === 'stale')) return 'void';
  return outcomes.includes('pass') ? 'pass' : 'void';
}
