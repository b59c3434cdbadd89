import type { Instant, LiveWorkflowRun } from '../metrics/kernel/facts.ts';
import { randomStream } from '../metrics/kernel/random-stream.ts';
import { day, hour, minute } from './calendar.ts';
import { listShas, type WorldCommit } from './commits.ts';
import type { WorldPullRequest } from './pull-requests.ts';
import { pickOne } from './random.ts';
import type { AttemptSketch } from './runs.ts';

/** Pull requests, and which of them each run for a pull request was for. */
export interface Linked {
  pulls: WorldPullRequest[];
  ofRun: Map<number, WorldPullRequest>;
}

/**
 * Finds for each run for a pull request one that was open then. Where none was, the next one to be merged was opened
 * before the run. The head of a pull request is what its newest run was for.
 */
export function attachRuns(seed: string, given: WorldPullRequest[], attempts: AttemptSketch[][]): Linked {
  const pulls = given.map((one) => ({ ...one }));
  const ofRun = new Map<number, WorldPullRequest>();
  const runs = attempts
    .flatMap(([first]) => (first && isForPull(first) ? first : []))
    .sort((one, other) => one.run.createdAt - other.run.createdAt);
  for (const { run, after } of runs) {
    const shared = after === null ? undefined : ofRun.get(after);
    if (shared) {
      ofRun.set(run.id, withHead(shared, run.headSha));
      continue;
    }
    const open = pulls.filter(
      (one) =>
        one.createdAt <= run.createdAt && (one.closedAt ?? Number.POSITIVE_INFINITY) >= run.createdAt + pushingMs,
    );
    const pull = open.length ? pickOne(randomStream(seed, 'run', run.id), open) : openedEarlier(pulls, run.createdAt);
    if (pull) ofRun.set(run.id, withHead(pull, run.headSha));
  }
  return { pulls, ofRun };
}

/** So long a pull request stays open after a commit: the next one may follow, and each has runs beside one another. */
const pushingMs = 5 * minute;

const isForPull = ({ run, after }: AttemptSketch) => run.event === 'pull_request' || after !== null;

function openedEarlier(pulls: WorldPullRequest[], at: Instant): WorldPullRequest | null {
  const next = pulls
    .filter((one) => one.createdAt > at && one.createdAt - at < 6 * day)
    .reduce<WorldPullRequest | null>((best, one) => (best && best.createdAt <= one.createdAt ? best : one), null);
  if (!next) return null;
  next.createdAt = at - 3 * minute;
  next.firstCommitAt = Math.min(next.firstCommitAt ?? at, next.createdAt - hour);
  return next;
}

/** Reviews of the old head were of this one. */
function withHead(pull: WorldPullRequest, sha: string): WorldPullRequest {
  const before = pull.headSha;
  pull.headSha = sha;
  pull.reviews = pull.reviews.map((one) => (one.commitSha === before ? { ...one, commitSha: sha } : one));
  return pull;
}

/** The runs with what is known about their commits and pull requests by now. */
export function withCommits(
  attempts: AttemptSketch[][],
  { ofRun, pulls }: Linked,
  commits: WorldCommit[],
): AttemptSketch[][] {
  const known = new Map(commits.map((one) => [one.sha, one]));
  const merged = new Set(pulls.flatMap((one) => listShas(one).filter((sha) => sha !== one.mergeSha)));
  // Before the first head there is only what it merged.
  const heads = [...commits.filter(({ sha }) => !merged.has(sha)), ...commits.filter(({ sha }) => merged.has(sha))];
  return attempts.map((all) =>
    all.map((sketch) => {
      const { run } = sketch;
      const pull = ofRun.get(run.id);
      if (isForPull(sketch)) return { ...sketch, run: pull ? ofPull(run, pull) : byHand(run, heads) };
      if (run.event === 'workflow_dispatch') return { ...sketch, run: byHand(run, heads) };
      const commit = run.event === 'push' ? known.get(run.headSha) : undefined;
      return commit ? { ...sketch, run: ofCommit(run, commit) } : sketch;
    }),
  );
}

function ofPull(run: LiveWorkflowRun, { title, author, headBranch, number }: WorldPullRequest): LiveWorkflowRun {
  return {
    ...run,
    displayTitle: title,
    headBranch,
    actor: author,
    triggeringActor: run.attempt === 1 ? author : run.triggeringActor,
    headCommit: { message: title ?? '', authorName: author?.login ?? null },
    pullRequests: [{ number, url: '#', headSha: run.headSha }],
  };
}

const ofCommit = (run: LiveWorkflowRun, { message, authorName }: WorldCommit): LiveWorkflowRun => ({
  ...run,
  displayTitle: message,
  headCommit: { message, authorName },
});

/** Somebody started it on what was the head of main. */
function byHand(run: LiveWorkflowRun, heads: WorldCommit[]): LiveWorkflowRun {
  const newest = heads.find((one) => one.committedAt <= run.createdAt);
  return {
    ...run,
    event: 'workflow_dispatch',
    headBranch: 'main',
    headSha: newest?.sha ?? run.headSha,
    pullRequests: [],
    headCommit: newest ? { message: newest.message, authorName: newest.authorName } : run.headCommit,
  };
}
