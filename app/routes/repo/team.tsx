import { useLocation } from 'react-router';
import { panels } from '../../../server/http/doors.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useChrome } from '../chrome.ts';
import type { Route } from './+types/team';
import { useRepositoryTabs } from './tabs.ts';
import { teamOperations } from './team/operations.ts';
import { TeamNote, TeamSections } from './team/sections.tsx';
import { askedDays, chosenWindow, windowFilter } from './team/window.ts';
import { hasTracker } from './tracker.ts';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const asked = { context: context.get(requestContext), params };
  const extra = { days: askedDays(asked.context.url.searchParams) };
  const [answers, isTracked] = await Promise.all([panels({ ...asked, extra }, teamOperations), hasTracker(asked)]);
  const { contributors } = answers;
  if (!contributors.ok && [400, 404].includes(contributors.problem.status))
    throw new Response(null, { status: contributors.problem.status });
  return { ...answers, isTracked };
};

/** The people of one repository: what they merged and reviewed, in a window that the address says. */
export default function TeamPage({ loaderData, params }: Route.ComponentProps) {
  const { base } = useChrome();
  const { pathname, search } = useLocation();
  const name = `${params.owner}/${params.repo}`;
  const { contributors } = loaderData;
  const renamed = contributors.ok ? contributors.notes.canonicalRepo : null;
  return (
    <Page
      title="Team"
      lead="Who merges, who reviews, and where it rests on few."
      breadcrumbs={[
        { label: 'Repositories', href: base || '/' },
        { label: name, href: `${base}/repos/${name}` },
      ]}
      actions={<a href={`${base}/team?${new URLSearchParams({ repository: name })}`}>Another repository</a>}
      tabs={useRepositoryTabs(name, 'Team', loaderData.isTracked)}
      note={renamed && renamed !== name ? <Notice title="Renamed.">It is {renamed} now.</Notice> : null}
    >
      <FilterBar
        label="Window"
        search={search}
        filters={[windowFilter(chosenWindow(new URLSearchParams(search)), { hasLastClosed: true })]}
      />
      <TeamNote />
      <TeamSections of={loaderData} repository={name} here={`${pathname}${search}`} />
    </Page>
  );
}
