import { figures } from '../../../server/domain/quantity.ts';
import { ActionLink } from '../../charts/link.tsx';
import { DataTable, withoutEmpty } from '../../components/data-table.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { StateBar } from '../../components/state-bar.tsx';
import { useProfileHref } from '../people/person-href.ts';
import { openColumns } from './open-pull-request-columns.tsx';
import {
  areSomeUnread,
  describeNoneOpen,
  incomplete,
  type OpenPullRequests,
  pullRequestFeature,
  type RepositoryPanels,
  type RepositoryPath,
} from './panels.ts';
import { countWaiting, isByPerson } from './waiting.ts';

interface Props {
  result: RepositoryPanels['openPullRequests'];
  repository: RepositoryPath;
}

/** Pull requests of people listed on the overview. */
const maxRows = 3;

/** Who waits for whom, and for how long: counts by state, then the oldest. */
export function WaitingPanel({ result, repository }: Props) {
  const { base } = usePageContext();
  const here = `${base}/repos/${repository.owner}/${repository.repo}`;
  return (
    <Panel
      title="Pull requests"
      id="pull-requests"
      result={result}
      feature={pullRequestFeature}
      whenPartial={result.ok ? incomplete(result.data) : undefined}
      aside={<ActionLink href={`${here}/pull-requests`}>{describeAll(result)}</ActionLink>}
    >
      {(data) => (
        <>
          <WaitingBar data={data} href={`${here}/pull-requests`} />
          {data.open_prs.length === 0 ? (
            <Empty cause={describeNoneOpen(data)} />
          ) : (
            <Longest data={data} owner={repository.owner} />
          )}
        </>
      )}
    </Panel>
  );
}

const describeAll = (result: Props['result']) =>
  result.ok && result.data.total_open ? `All ${figures(result.data.total_open)}` : 'Details';

interface WaitingProps {
  data: OpenPullRequests;
  /** The page of the pull requests. */
  href: string;
}

function WaitingBar({ data, href }: WaitingProps) {
  const states = countWaiting(data);
  const bots = data.open_prs.filter(({ is_bot }) => is_bot).length;
  return (
    <StateBar
      label="Open pull requests by what they wait for"
      states={states}
      getHref={(key) => `${href}?waiting=${key}`}
      isMinimum={areSomeUnread(data) || states.some(({ key }) => key === 'unknown')}
      aside={bots > 0 ? `Bots ${figures(bots)}` : null}
    />
  );
}

function Longest({ data, owner }: { data: OpenPullRequests; owner: string }) {
  const getProfileHref = useProfileHref(owner);
  const byPeople = data.open_prs.filter(isByPerson);
  const waiting = byPeople
    .filter(({ waiting_on: whom }) => whom !== 'nobody')
    .toSorted((a, b) => (a.waiting_since ?? a.created_at).localeCompare(b.waiting_since ?? b.created_at, 'en'));
  const columns = openColumns({ getProfileHref });
  const rows = waiting.slice(0, maxRows);
  return (
    <DataTable
      caption="Open pull requests of people, longest waiting first"
      captionHidden
      rows={rows}
      rowKey={({ number }) => number}
      noun="open pull requests"
      empty={{ cause: 'No open pull request of a person waits for anybody.' }}
      columns={withoutEmpty([columns.title, columns.waiting, columns.since], rows)}
    />
  );
}
