import type { Codehost, Freshness, Unread } from '../../codehost/client/client.ts';
import { describePartial, type Excluded, joinedReasons, mergeExcluded } from '../../codehost/client/readable-items.ts';
import { counted } from '../../domain/quantity.ts';
import type { RepositoryName, RepositoryState } from '../../metrics/kernel/facts.ts';
import { ifReadable } from '../kernel/coverage.ts';

/** What is known of a repository beside its runs; `unread` names the fields that could not be read. */
export type KnownState = RepositoryState & Freshness & Unread;

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
  const [denied, others] = [true, false].map((isDenied) =>
    mergeExcluded(
      states.filter((one) => (one.isDenied ?? false) === isDenied).map((one) => ({ excluded: one.unread })),
    ),
  );
  const reasons = [
    describePartial('repositories', excluded, others),
    denied ? `the token may not read ${describeDenied(denied)} of ${counted(denied.count, 'repositories')}` : undefined,
  ];
  return { states, partialReason: joinedReasons(reasons) };
}

/** What the token may not read, in words where they are known. */
export function describeDenied({ fields }: Pick<Excluded, 'fields'>): string {
  const parts = fields.map((field) => (isHeadField(field) ? 'checks (permissions Commit statuses and Checks)' : field));
  return [...new Set(parts)].join(', ');
}

/** Whether the status of the default branch is known, be it that there are no checks. */
export const isHeadRead = ({ unread }: Pick<KnownState, 'unread'>): boolean => !unread?.fields.some(isHeadField);

const isHeadField = (field: string): boolean => field.startsWith('defaultBranchRef');
