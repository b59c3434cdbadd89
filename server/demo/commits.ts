import type { Commit } from '../metrics/kernel/delivery-facts.ts';
import type { Actor, Instant } from '../metrics/kernel/facts.ts';
import type { RandomStream } from '../metrics/kernel/random-stream.ts';
import { minute, second } from './calendar.ts';
import type { DeliveryPlan, ModulePlan } from './delivery-plans.ts';
import type { WorldPullRequest } from './pull-requests.ts';
import { between, hexDigits, pickOne } from './random.ts';
import { getZone } from './team.ts';

/** A commit of main with the files it touched. */
export interface WorldCommit extends Commit {
  message: string;
  files: string[];
  /** Minutes the author's clock was ahead of UTC. */
  zone: number;
}

/** A push to main, as its run shows it. */
export interface Push {
  sha: string;
  at: Instant;
  by: Actor | null;
  title: string;
}

/** A commit pushed without a pull request, written some time before; a few by somebody without an account. */
export function directCommit(plan: DeliveryPlan, { sha, at, by, title }: Push, random: RandomStream): WorldCommit {
  const author = random() < 0.06 ? null : by;
  const authoredAt = at - between(random, 2, 90) * minute;
  return { ...made(plan, sha, author, random), message: title, authoredAt, committedAt: at };
}

/** What a merged pull request left on main: one commit, or a merge with the commits it added, newest first. */
export function createMergeCommits(plan: DeliveryPlan, pull: WorldPullRequest, random: RandomStream): WorldCommit[] {
  const { mergeSha, mergedAt, author, mergedBy, title, number } = pull;
  if (mergeSha === null || mergedAt === null) return [];
  const fullCommit = made(plan, mergeSha, author, random);
  const sizes = { additions: pull.additions, deletions: pull.deletions, changedFiles: pull.changedFiles };
  const times = { authoredAt: mergedAt, committedAt: mergedAt };
  if (random() > 0.15 || author?.isBot)
    return [{ ...fullCommit, ...sizes, ...times, message: `${title} (#${number})` }];
  const merge = {
    ...fullCommit,
    ...sizes,
    ...times,
    ...byline(mergedBy),
    parents: 2,
    message: `Merge pull request #${number} from ${pull.headBranch}`,
  };
  return [merge, ...createPullRequestCommits(plan, pull, random)];
}

/** The ids of the commits that a pull request can have left on main. */
export const listShas = ({ mergeSha, headSha }: WorldPullRequest): (string | null)[] => [
  mergeSha,
  headSha,
  ...Array.from({ length: maxCommits - 1 }, (_, index) => partSha(mergeSha, index + 1)),
];

const maxCommits = 3;
const partSha = (mergeSha: string | null, index: number) => hexDigits(`${mergeSha} part ${index}`, 40);

function createPullRequestCommits(plan: DeliveryPlan, pull: WorldPullRequest, random: RandomStream): WorldCommit[] {
  const last = pull.lastPushAt ?? pull.createdAt;
  const first = Math.min(pull.firstCommitAt ?? last, last);
  const count = Math.min(pull.commitCount, maxCommits);
  return Array.from({ length: count }, (_, index) => {
    const part = count === 1 ? 1 : 1 - index / (count - 1);
    const at = first + Math.round(((last - first) * part) / second) * second;
    const sha = index === 0 ? (pull.headSha ?? '') : partSha(pull.mergeSha, index);
    const commit = made(plan, sha, pull.author, random);
    return { ...commit, message: pull.title ?? '', authoredAt: at, committedAt: at };
  });
}

function made(plan: DeliveryPlan, sha: string, author: Actor | null, random: RandomStream) {
  const files = pickFiles(plan, author, random);
  const additions = between(random, 1, 60) * files.length;
  return {
    sha,
    ...byline(author),
    parents: 1,
    files,
    additions,
    deletions: Math.floor(additions * random() * 0.8),
    changedFiles: files.length,
  };
}

/** Without an account there is a name all the same. */
const byline = (author: Actor | null) => ({
  author,
  authorName: author?.login ?? 'Quay Terminal 3',
  zone: author ? getZone(author.login) : 0,
});

/**
 * Bots raise versions; people mostly change one part of the repository. A part that one person knows alone is hardly
 * touched by others.
 */
function pickFiles({ modules }: DeliveryPlan, author: Actor | null, random: RandomStream): string[] {
  if (author?.isBot) return ['package.json'];
  const own = modules.filter((one) => one.owner !== null && one.owner === author?.login);
  const count = random() < 0.25 ? 2 : 1;
  const chosen = Array.from({ length: count }, () =>
    own.length > 0 && random() < 0.6 ? pickOne(random, own) : moduleFor(modules, author, random),
  );
  return [...new Set(chosen.flatMap(({ files }) => files.slice(0, between(random, 1, files.length))))];
}

function moduleFor(modules: ModulePlan[], author: Actor | null, random: RandomStream): ModulePlan {
  const intruding = random() < 0.02;
  const open = modules.filter((one) => one.owner === null || one.owner === author?.login || intruding);
  const weighted = open.flatMap((one) => Array<ModulePlan>(one.weight).fill(one));
  return pickOne(random, weighted);
}
