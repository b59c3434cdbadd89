import type { DeliveryReads } from '../codehost/delivery/client.ts';
import type { OpenPullRequest } from '../metrics/kernel/delivery-facts.ts';
import type { Instant, Repository } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import { Problem } from '../platform/problem.ts';
import type { Store } from '../store/orm.ts';
import { isComplete } from './fact-repository.ts';

/** The pull requests that were open when they were last read, without their titles. */
export interface OpenPullRequests {
  items: OpenPullRequest[];
  asOf: Instant;
  /** false where more are open than are read, or parts of some could not be. */
  complete: boolean;
  /** Whether more are open than are read; missing in what earlier versions stored. */
  partial?: boolean;
}

export interface OpenPullRequestOptions {
  codehost: { pullRequests: Pick<DeliveryReads['pullRequests'], 'open'> };
  store: { answers: Pick<Store['answers'], 'put'> };
}

/** They are read every night; beyond this they do not describe the present. */
const retentionMs = 36 * hourMs;

/**
 * Reads the open pull requests of a repository anew with their reviews, and keeps them in the place of those read before.
 * Answers why the platform did not report them; what was stored then stays until it is too old.
 */
export async function storeOpenPullRequests(
  repoId: number,
  repository: Repository,
  { codehost, store }: OpenPullRequestOptions,
): Promise<Problem | null> {
  try {
    const { items, partial, asOf } = await codehost.pullRequests.open(repository, { always: true });
    const open: OpenPullRequests = {
      items: items.map(withoutTitle),
      asOf,
      partial,
      complete: !partial && items.every(isComplete.pull_requests),
    };
    await store.answers.put(toKey(repoId), open, asOf, retentionMs);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** null where they were not read lately. */
export async function readOpenPullRequests(
  repoId: number,
  store: { answers: Pick<Store['answers'], 'get'> },
  now: Instant,
): Promise<OpenPullRequests | null> {
  return (await store.answers.get<OpenPullRequests>(toKey(repoId), now))?.value ?? null;
}

/** The same of several repositories at once, by their ids; those that were not read lately are absent. */
export async function readOpenOfRepositories(
  repoIds: readonly number[],
  store: { answers: Pick<Store['answers'], 'getMany'> },
  now: Instant,
): Promise<Map<number, OpenPullRequests>> {
  const known = await store.answers.getMany<OpenPullRequests>(repoIds.map(toKey), now);
  return new Map(
    repoIds.flatMap((id) => {
      const open = known.get(toKey(id));
      return open ? [[id, open] as const] : [];
    }),
  );
}

const toKey = (repoId: number) => `open pull requests ${repoId}`;

const withoutTitle = (pullRequest: OpenPullRequest): OpenPullRequest => ({ ...pullRequest, title: null });
