import type { Codehost, Freshness } from '../../codehost/client/client.ts';
import { describePartial, type Excluded, mergeExcluded } from '../../codehost/client/readable-items.ts';
import type { RepositoryName, RepositoryState } from '../../metrics/kernel/facts.ts';
import { ifReadable } from '../kernel/coverage.ts';

/** What is known of a repository beside its runs; `unread` names the fields that could not be read. */
export type KnownState = RepositoryState & Freshness & { unread: Excluded | null };

/** The states of listed repositories, and why not all of them are known. */
export interface ReadStates {
  states: KnownState[];
  /** undefined where every field of every repository could be read. */
  partialReason: string | undefined;
}

/** Reads what an answer can do without: where the platform gives nothing, there is no state. */
export async function readStates(codehost: Codehost, names: readonly RepositoryName[]): Promise<ReadStates> {
  const states = (await ifReadable(codehost.repositories.states(names))) ?? [];
  const missing = names.length - states.length;
  const excluded = missing > 0 ? { count: missing, fields: ['repository'] } : null;
  const unread = mergeExcluded(states.map((state) => ({ excluded: state.unread })));
  return { states, partialReason: describePartial('repositories', excluded, unread) };
}

/** Whether the status of the default branch is known, be it that there are no checks. */
export const isHeadRead = ({ unread }: Pick<KnownState, 'unread'>): boolean =>
  !unread?.fields.some((field) => field.startsWith('defaultBranchRef'));
