import type { BarState } from '../../components/state-bar.tsx';
import type { OpenPullRequest, OpenPullRequests } from './panels.ts';

const states: readonly (Omit<BarState, 'count'> & { whom: OpenPullRequest['waiting_on'] })[] = [
  { key: 'review', label: 'Awaiting review', tone: 'one', whom: 'reviewer' },
  { key: 'author', label: 'Changes requested', tone: 'two', whom: 'author' },
  { key: 'merge', label: 'Ready to merge', tone: 'four', whom: 'merge' },
  { key: 'draft', label: 'Draft', tone: 'void', whom: 'nobody' },
  { key: 'unknown', label: 'Unknown', tone: 'three', whom: null },
];

export const isByPerson = (one: OpenPullRequest) => !one.is_bot;

/** How many wait for what; unknown ones are listed only where there are some. A bot's keeps nobody waiting. */
export const countWaiting = ({ open_prs: open }: OpenPullRequests): BarState[] =>
  states
    .map(({ whom, ...state }) => ({
      ...state,
      count: open.filter((one) => isByPerson(one) && one.waiting_on === whom).length,
    }))
    .filter(({ key, count }) => key !== 'unknown' || count > 0);

/** Those of people in a state by its key; all of them for any other. */
export function selectWaiting({ open_prs: open }: OpenPullRequests, key: string | null): OpenPullRequest[] {
  const state = states.find((one) => one.key === key);
  return open.filter((one) => isByPerson(one) && (!state || one.waiting_on === state.whom));
}
