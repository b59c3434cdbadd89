import type { SignedPullRequest } from '../codehost/delivery/client.ts';
import { changeTypes } from '../metrics/ai-authorship/classes.ts';
import { classify, type MarkTable } from '../metrics/ai-authorship/classify.ts';
import { getChangeType } from '../metrics/ai-authorship/comparison/change-type.ts';
import { findLinks } from '../metrics/ai-authorship/links.ts';
import { marksLookBack } from '../metrics/ai-authorship/look-back.ts';
import { toBits } from '../metrics/ai-authorship/mark-bits.ts';
import { withOpener, withOpenerBefore } from '../metrics/ai-authorship/opener.ts';
import type { Repository } from '../metrics/kernel/facts.ts';
import type { Calendar } from '../metrics/people/workday-hours.ts';
import { Problem } from '../platform/problem.ts';
import type { StoredLink } from '../store/pull-request-links.ts';
import type { MarksCursor, MarksPass, StoredMarks } from '../store/pull-request-marks.ts';
import { overlap } from './pull-request-pass.ts';
import type { PullRequestSyncOptions } from './pull-requests.ts';

export interface MarksSyncOptions extends Pick<PullRequestSyncOptions, 'codehost' | 'store' | 'clock' | 'mayContinue'> {
  table: MarkTable;
  /** What was marked by another one is marked anew. */
  version: string;
  /** In which months are counted. */
  calendar: Calendar;
  /** Whether one more request may be sent for the app that opened a pull request. */
  mayReadOpener(): Promise<boolean>;
}

/** What a reading of marks came to. */
export interface MarksSync {
  /** false while anything is left to read. */
  complete: boolean;
  /** Why the platform ended the reading; what was read before is stored. */
  problem: Problem | null;
}

/**
 * Brings the marks of the pull requests created in the last 400 days into the store: page by page the first time, then
 * what changed. What is read of a pull request is reduced to its marks at once, and dropped.
 */
export async function syncPullRequestMarks(
  repoId: number,
  repository: Repository,
  options: MarksSyncOptions,
): Promise<MarksSync> {
  try {
    const complete = await read(repoId, repository, options);
    if (complete) await readOpeners(repoId, repository, options);
    return { complete, problem: null };
  } catch (error) {
    if (error instanceof Problem) return { complete: false, problem: error };
    throw error;
  }
}

/** Answers whether everything was read. */
async function read(repoId: number, repository: Repository, options: MarksSyncOptions): Promise<boolean> {
  const { codehost, store, clock, mayContinue, version } = options;
  const now = clock.now();
  const cursor = await store.pullRequestMarks.cursor(repoId);
  const stored = cursor && isBelievable(cursor, now) ? cursor : null;
  const known = stored?.version === version ? stored : null;
  // What another table found stays until it was read anew.
  const readThrough = stored?.readThrough ?? null;
  const until = known?.readThrough ? known.readThrough - overlap : now - marksLookBack;
  let pass: MarksPass = known?.pass ?? { startedAt: now, until, after: null };
  const ask = codehost.pullRequests.signPages(repository);
  while (mayContinue()) {
    const page = await ask(pass.after);
    const wanted = (page?.items ?? []).filter(
      ({ updatedAt, signs }) => updatedAt >= pass.until && signs.createdAt >= now - marksLookBack,
    );
    const numbers = wanted.map(({ number }) => number);
    const openers = await store.pullRequestOpeners.read(repoId, numbers, version);
    const marks = wanted.map((one) => withOpenerBefore(toStored(one, options), openers.get(one.number)));
    // A place that the platform does not know any more: from the start again.
    pass = { ...pass, after: page?.next ?? null };
    const isDone = page !== null && (page.next === null || (page.oldestUpdate ?? Infinity) < pass.until);
    const next = isDone ? { version, readThrough: pass.startedAt, pass: null } : { version, readThrough, pass };
    const links = wanted.flatMap((one) => toLinks(one, repository));
    await store.pullRequestMarks.put(repoId, { marks, links }, next);
    if (isDone) return true;
  }
  return false;
}

/**
 * Through which app those were opened whose branch speaks for an agent, as many as one night allows; until then what has
 * no other mark is not read.
 */
async function readOpeners(repoId: number, repository: Repository, options: MarksSyncOptions): Promise<void> {
  const { codehost, store, table, mayContinue, mayReadOpener } = options;
  for (const { number, ...stored } of await store.pullRequestOpeners.unread(repoId, openersPerNight)) {
    if (!mayContinue() || !(await mayReadOpener())) return;
    const opening = await codehost.pullRequests.opening(repository, number);
    await store.pullRequestOpeners.put(repoId, number, withOpener(stored, opening, table.agents));
  }
}

/** Requests of all repositories together. */
export const openersPerNight = 50;

/** What was written while the clock was ahead proves nothing. */
const isBelievable = ({ readThrough, pass }: MarksCursor, now: number): boolean =>
  Math.max(readThrough ?? 0, pass?.startedAt ?? 0) <= now;

/** What it reverts or puts right, once it is merged; not itself. */
const toLinks = (
  { number, title, body, isMerged, signs: { labels, headBranch, commits } }: SignedPullRequest,
  repository: Repository,
): StoredLink[] =>
  isMerged
    ? findLinks({ title, body, labels, headBranch, commits }, repository)
        .filter(({ target }) => target !== `#${number}`)
        .map((link) => ({ number, ...link }))
    : [];

function toStored(
  { number, title, mergeSha, signs }: SignedPullRequest,
  { table, version, calendar }: MarksSyncOptions,
): StoredMarks {
  const marks = classify(signs, table);
  return {
    number,
    // Through which app it was opened may be a mark.
    class: marks.class === 'unmarked' && marks.isOpenerWanted ? 'unread' : marks.class,
    agent: marks.agent,
    kinds: toBits(marks),
    type: changeTypes.indexOf(getChangeType({ labels: signs.labels, title, headBranch: signs.headBranch })),
    readComplete: marks.isComplete,
    tableVersion: version,
    createdMonth: calendar.getDay(signs.createdAt).slice(0, 7),
    mergeSha,
  };
}
