import { figures } from '../../../server/domain/quantity.ts';
import { requestedBots } from '../../components/bot-choice.ts';
import { withChoices } from '../../components/choices.ts';
import { DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type GetProfileHref, useProfileHref } from '../people/person-href.ts';
import { openColumns, Person } from './open-pull-request-columns.tsx';
import type { OpenPullRequest, OpenPullRequests, RepositoryPath } from './panels.ts';
import { countWaiting, isByPerson, selectWaiting } from './waiting.ts';

interface Props {
  data: OpenPullRequests;
  repository: RepositoryPath;
  search: string;
}

/** Open pull requests of people, oldest first, by what they wait for, and who has how many. */
export function OpenPullRequestTable({ data, repository, search }: Props) {
  const { base } = usePageContext();
  const getProfileHref = useProfileHref(repository.owner);
  const query = new URLSearchParams(search);
  const waiting = query.get('waiting');
  const chosen = selectWaiting(data, waiting);
  const byPeople = data.open_prs.filter(isByPerson).length;
  const byBots = data.open_prs.filter((one) => !isByPerson(one));
  const isFiltered = chosen.length < byPeople;
  const rows = query.get('open') === 'all' ? chosen : chosen.slice(0, maxRows);
  const bots = requestedBots(search);
  const csv = new URLSearchParams({ ...repository, ...(bots && { bots }), format: 'csv' });
  const columns = openColumns({ getProfileHref });
  return (
    <>
      <FilterBar
        label="Filter pull requests"
        search={search}
        filters={[
          {
            kind: 'links',
            name: 'waiting',
            label: 'Show',
            value: waiting,
            options: [
              { value: '', label: 'All' },
              ...countWaiting(data).map(({ key, label, count: some }) => ({
                value: key,
                label: `${label} ${figures(some)}`,
              })),
            ],
          },
        ]}
      />
      <DataTable
        caption="Open pull requests, oldest first"
        captionHidden
        rows={rows}
        rowKey={({ number }) => number}
        total={isFiltered ? chosen.length : data.total_open && data.total_open - byBots.length}
        noun="open"
        allHref={rows.length < chosen.length ? withChoices(search, { open: 'all' }) : undefined}
        csvHref={`${base}/api/codehost/open-pr-health?${csv}`}
        empty={{ cause: isFiltered ? 'None in this state.' : 'No open pull requests by people.' }}
        columns={withoutEmpty(
          [columns.title, columns.waitingOn, columns.since, columns.age, columns.author, columns.rounds],
          chosen,
        )}
      />
      <ByBots rows={byBots} />
      <Authors data={data} getProfileHref={getProfileHref} />
    </>
  );
}

/** What the states of the filter mean. */
export const StateDefinitions = () => (
  <details className="source">
    <summary>Definitions</summary>
    <p>Awaiting review: not reviewed, missing approvals, or updated since the last review.</p>
    <p>Changes requested: no push since that review.</p>
    <p>Ready to merge: approved, not merged. Draft: no review requested.</p>
  </details>
);

const maxRows = 5;

/** Apart from those of people, because a bot's keeps nobody waiting. */
function ByBots({ rows }: { rows: OpenPullRequest[] }) {
  if (rows.length === 0) return null;
  const { title, age } = openColumns({ getProfileHref: () => undefined });
  return (
    <details>
      <summary>{`By bots (${figures(rows.length)})`}</summary>
      <DataTable
        caption="Open pull requests by bots, oldest first"
        captionHidden
        rows={rows}
        rowKey={({ number }) => number}
        columns={[title, age, { key: 'author', label: 'Bot', cell: ({ author }) => author }]}
      />
    </details>
  );
}

interface AuthorsProps {
  data: OpenPullRequests;
  getProfileHref: GetProfileHref;
}

/** By name: how much somebody has open is no order of merit. */
function Authors({ data, getProfileHref }: AuthorsProps) {
  const byName = data.concurrent_prs_by_author
    .filter((one) => !one.is_bot)
    .toSorted((a, b) => a.login.localeCompare(b.login, 'en'));
  if (byName.length === 0) return null;
  return (
    <details>
      <summary>By author</summary>
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
