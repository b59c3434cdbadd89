import { count, figures } from '../../../server/domain/quantity.ts';
import type { Panel as Answered } from '../../../server/http/adapters.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Panel } from '../../components/panel.tsx';
import { TitleCell } from './pull-request-table.tsx';
import type { Waiting } from './waiting.ts';

const feature = { label: 'Pull request life cycle', shows: 'what open pull requests wait for' };

/** What is blocked: by the person, and on others' side; longest first. */
export function WaitingTables({ result }: { result: Answered<Waiting> }) {
  const noneFound = result.ok && result.notes.partial ? 'None among the pull requests that were loaded.' : null;
  return (
    <Panel
      title="Blocked now"
      id="blocked"
      result={result}
      feature={feature}
      whenPartial={result.ok ? whatIsMissing(result.data) : null}
    >
      {(data) => (
        <>
          <WaitingTable
            caption="Waiting for them"
            rows={data.forThem}
            format={formatOwnMove}
            empty={noneFound ?? (data.forTeams > 0 ? 'Nothing waits for them by name.' : 'Nothing waits for them.')}
          />
          {data.forTeams > 0 ? <p className="source">{describeTeams(data.forTeams)}</p> : null}
          <WaitingTable
            caption="They are waiting for"
            rows={data.forOthers}
            format={formatWait}
            empty={noneFound ?? 'They wait for nobody.'}
          />
          {data.unread > 0 ? null : (
            <p className="source">Open pull requests in {count(data.read.length, 'repository', 'repositories')}.</p>
          )}
        </>
      )}
    </Panel>
  );
}

const describeTeams = (pullRequests: number) =>
  `${count(pullRequests, 'pull request waits', 'pull requests wait')} for a review by a team, whose members are not loaded.`;

type Row = Waiting['forThem'][number];

const whatIsMissing = ({ unread, read }: Waiting) =>
  unread > 0
    ? `Pull requests of ${figures(read.length)} of ${count(unread + read.length, 'repository', 'repositories')}.`
    : 'Not all open pull requests could be loaded.';

/** So that the brief stays one to print. */
const maxRows = 5;

interface WaitingTableProps {
  caption: string;
  rows: readonly Row[];
  format(row: Row): string;
  empty: string;
}

function WaitingTable({ caption, rows, format, empty }: WaitingTableProps) {
  return (
    <DataTable
      caption={caption}
      rows={rows.slice(0, maxRows)}
      total={rows.length}
      noun="pull requests"
      rowKey={({ repository, number }) => `${repository}#${number}`}
      empty={{ cause: empty }}
      columns={[
        {
          key: 'title',
          label: 'Pull request',
          cell: ({ title, repository, number, html_url: url }) => (
            <TitleCell
              pullRequest={{
                title: title ?? 'Title not loaded',
                repo_full_name: repository,
                number,
                html_url: url,
              }}
            />
          ),
        },
        { key: 'what', label: 'Waits for', cell: format },
        {
          key: 'since',
          label: 'For',
          cell: ({ since: at }) => <Moment at={at} as="age" />,
        },
      ]}
    />
  );
}

/** Of what waits for the person, without their name where nobody else is requested. */
function formatOwnMove(row: Row) {
  if (row.waiting_on === 'author') return row.mergeable === 'conflicting' ? 'conflicts' : 'changes requested';
  return row.requested_reviewers.length === 1 && row.requested_teams.length === 0 ? 'review' : formatWait(row);
}

function formatWait({ waiting_on: on, requested_reviewers: reviewers, requested_teams: teams }: Row) {
  if (on === 'merge') return 'merge';
  const requested = [...reviewers, ...teams.map((team) => `team ${team}`)];
  return requested.length > 0 ? `review by ${requested.join(', ')}` : 'review, nobody requested';
}
