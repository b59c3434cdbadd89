import { useLocation } from 'react-router';
import { getRepositories } from '../../server/api/codehost.ts';
import { panel, panels } from '../../server/http/doors.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { FilterBar } from '../components/filter-bar.tsx';
import { Empty, Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import type { Route } from './+types/team';
import { tabTitle, useChrome } from './chrome.ts';
import { teamOperations } from './repo/team/operations.ts';
import { TeamNote, TeamSections } from './repo/team/sections.tsx';

export const meta: Route.MetaFunction = () => tabTitle('Team');

const usualDays = '30';

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const asked = { context: context.get(requestContext), params };
  const { searchParams } = asked.context.url;
  const [owner, repo] = (searchParams.get('repository') ?? '').split('/');
  const extra = { owner: owner ?? '', repo: repo ?? '', days: searchParams.get('days') || usualDays };
  const [repositories, team] = await Promise.all([
    panel(getRepositories, asked),
    owner && repo ? panels({ ...asked, extra }, teamOperations) : null,
  ]);
  const isThere = team && (team.contributors.ok || ![400, 404].includes(team.contributors.problem.status));
  return { repositories, team: isThere ? { name: `${owner}/${repo}`, answers: team } : null };
};

/** The same as a repository's team page, for whichever repository is chosen. */
export default function TeamsPage({ loaderData: { repositories, team } }: Route.ComponentProps) {
  const { base } = useChrome();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const chosen = query.get('repository') ?? '';
  const names = repositories.ok ? repositories.data.map(({ full_name }) => full_name) : [];
  return (
    <Page
      title={team ? `Team of ${team.name}` : 'Team'}
      lead="Who merges, who reviews, and where it rests on few."
      breadcrumbs={[{ label: 'Repositories', href: base || '/' }]}
      actions={team ? <a href={`${base}/repos/${team.name}`}>Repository</a> : null}
      note={repositories.ok ? null : <Notice>Repositories could not be listed: {repositories.problem.error}</Notice>}
    >
      <FilterBar
        label="Repository and window"
        search={search}
        filters={[
          {
            ...{ kind: 'text', name: 'repository', label: 'Repository', value: chosen },
            ...{ placeholder: 'owner/name', list: names },
          },
          {
            ...{ kind: 'links', name: 'days', label: 'Merged in', value: query.get('days') ?? usualDays },
            options: [
              { value: '30', label: '30 days' },
              { value: '90', label: '90 days' },
            ],
          },
        ]}
      />
      {team ? (
        <>
          <TeamNote />
          <TeamSections of={team.answers} repository={team.name} here={`${pathname}${search}`} />
        </>
      ) : (
        <Choice names={names} asked={chosen} />
      )}
    </Page>
  );
}

const mostOffered = 25;

function Choice({ names, asked }: { names: readonly string[]; asked: string }) {
  const cause = asked
    ? `There is no repository “${asked}” that you can see. Write its owner, a slash and its name.`
    : 'Choose a repository to see who works on it.';
  return (
    <Empty cause={cause}>
      <ul>
        {names.slice(0, mostOffered).map((name) => (
          <li key={name}>
            <a href={`?${new URLSearchParams({ repository: name })}`}>{name}</a>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
