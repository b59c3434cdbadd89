import { withChoices } from '../../../components/choices.ts';
import type { PageLink } from '../../../components/page.tsx';

/** Parts of a team page. */
const labels = {
  people: 'People',
  reviews: 'Reviews',
  knowledge: 'Knowledge',
  workload: 'Workload',
  runs: 'Workflow runs',
  repositories: 'Repositories',
} as const;

export type TeamView = keyof typeof labels;

export const viewsOfRepository = ['people', 'reviews', 'knowledge', 'workload', 'runs'] as const;

export const viewsOfOrganization = ['people', 'reviews', 'repositories'] as const;

/** The part that an address asks for; the first one for what is none. */
export function requestedTeamView<View extends TeamView>(query: URLSearchParams, offered: readonly View[]): View {
  const view = query.get('view');
  return offered.find((one) => one === view) ?? (offered[0] as View);
}

/** Links to the parts, the one looked at marked. */
export const getTeamViews = (search: string, offered: readonly TeamView[], current: TeamView): PageLink[] =>
  offered.map((view) => ({
    label: labels[view],
    href: withChoices(search, { view: view === offered[0] ? null : view }),
    current: view === current,
  }));

/** Panels of a part, while it is being loaded. */
export const loadingTitles: Record<TeamView, readonly string[]> = {
  people: ['Pull requests and reviews', 'Review load', 'People'],
  reviews: ['Pull requests and reviews', 'Review load', 'Who reviews whom'],
  knowledge: ['Knowledge'],
  workload: ['Workload'],
  runs: ['Workflow runs per person'],
  repositories: ['Pull requests and reviews', 'Repositories'],
};

/** What is said of the window in parts that have one of their own; null where it can be chosen. */
export const fixedWindow = (view: TeamView): string | null =>
  view === 'knowledge' ? 'Last 90 days' : view === 'runs' ? 'Latest completed runs' : null;

/** What is said of bots in parts whose definitions fix it; null where they can be left out. */
export const fixedBots = (view: TeamView): string | null =>
  view === 'knowledge' ? 'Bots excluded' : view === 'workload' || view === 'runs' ? 'Bots listed separately' : null;
