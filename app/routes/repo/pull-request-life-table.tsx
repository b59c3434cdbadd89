import { count, figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { type GetProfileHref, useProfileHref } from '../people/person-href.ts';
import type { Life } from './pull-request-life.tsx';

interface Props {
  data: Life;
  base: string;
  owner: string;
  repo: string;
  search: string;
  now: number;
  zone: string;
}

type Item = Life['open_prs'][number];

/** Open pull requests of people, oldest first, and who has how many; bots in a line of their own. */
export function OpenPullRequestTable({ data, base, owner, repo, search, now, zone }: Props) {
  const byPeople = data.open_prs.filter((one) => !one.is_bot);
  const getProfileHref = useProfileHref(owner);
  const showsAll = new URLSearchParams(search).get('open') === 'all';
  const bots = data.open_prs.length - byPeople.length;
  const csv = new URLSearchParams({ owner, repo, format: 'csv' });
  return (
    <>
      <DataTable
        caption="Open pull requests, oldest first"
        rows={showsAll ? byPeople : byPeople.slice(0, shown)}
        rowKey={({ number }) => number}
        total={data.total_open - bots}
        noun="open pull requests"
        allHref={!showsAll && byPeople.length > shown ? withChoices(search, { open: 'all' }) : undefined}
        csvHref={base ? undefined : `/api/codehost/open-pr-health?${csv}`}
        empty={{ cause: 'No open pull requests by people.' }}
        columns={columns({ getProfileHref, now, zone })}
      />
      {bots > 0 ? <p className="source">{count(bots, 'open pull request')} by bots not shown.</p> : null}
      <Authors data={data} getProfileHref={getProfileHref} />
    </>
  );
}

const shown = 15;

function columns({ getProfileHref, now, zone }: Pick<Props, 'now' | 'zone'> & Linked): Column<Item>[] {
  return [
    { key: 'title', label: 'Pull request', cell: (one) => <Title pullRequest={one} /> },
    { key: 'waiting', label: 'Waiting on', cell: waitsFor },
    { key: 'since', label: 'Since', cell: ({ waiting_since: at }) => <Moment at={at} now={now} zone={zone} /> },
    {
      key: 'age',
      label: 'Open for',
      numeric: true,
      cell: ({ age_hours: value }) => <Measurement value={{ value, unit: 'hours' }} />,
    },
    { key: 'author', label: 'Author', cell: ({ author }) => <Person login={author} getProfileHref={getProfileHref} /> },
    {
      key: 'rounds',
      label: 'Rounds',
      numeric: true,
      explain: 'Number of reviewed versions',
      cell: ({ review_rounds: value }) => <Measurement value={{ value, unit: 'count', reason: unreadReviews }} />,
    },
  ];
}

const unreadReviews = 'reviews could not be loaded';

function Title({ pullRequest: { number, title, html_url: url, mergeable } }: { pullRequest: Item }) {
  const name = title === null ? `#${number}` : `#${number} ${title}`;
  return (
    <>
      {url === '#' ? name : <a href={url}>{name}</a>}
      {mergeable === 'conflicting' ? <span className="muted"> merge conflicts</span> : null}
    </>
  );
}

interface Linked {
  getProfileHref: GetProfileHref;
}

function Person({ login, getProfileHref }: { login: string | null } & Linked) {
  if (login === null) return 'unknown';
  return login === 'ghost' ? 'deleted account' : <a href={getProfileHref(login)}>{login}</a>;
}

function waitsFor({ waiting_on: whom, author, requested_reviewers: people, requested_teams: teams }: Item): string {
  if (whom === null) return `unknown: ${unreadReviews}`;
  if (whom === 'nobody') return 'draft';
  if (whom === 'merge') return 'merge';
  if (whom === 'author' && author === null) return 'author';
  if (whom === 'author') return author === 'ghost' ? 'author (deleted account)' : `author, ${author}`;
  const requested = [...people, ...teams.map((team) => `team ${team}`)];
  return requested.length > 0 ? `review by ${requested.join(', ')}` : 'review, no reviewer requested';
}

/** By name: how much somebody has open is no order of merit. */
function Authors({ data, getProfileHref }: Pick<Props, 'data'> & Linked) {
  const byName = data.concurrent_prs_by_author
    .filter((one) => !one.is_bot)
    .toSorted((a, b) => a.login.localeCompare(b.login, 'en'));
  if (byName.length === 0) return null;
  return (
    <details>
      <summary>Open pull requests by author</summary>
      <DataTable
        caption="Open pull requests by author"
        captionHidden
        rows={byName}
        rowKey={({ login }) => login}
        columns={[
          {
            key: 'login',
            label: 'Author',
            cell: ({ login }) => <Person login={login} getProfileHref={getProfileHref} />,
          },
          { key: 'count', label: 'Open', numeric: true, cell: ({ count: open }) => figures(open) },
          { key: 'drafts', label: 'Drafts', numeric: true, cell: ({ drafts }) => figures(drafts) },
        ]}
      />
    </details>
  );
}
