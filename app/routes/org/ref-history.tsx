import { count } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { type HistoryAnswers, MoveBadge, type RefHistory, shortCommit } from './action-labels.tsx';

type Observation = RefHistory['observations'][number];

/** Where one ref led, and who uses it. */
export function RefHistoryPanel({ result, org }: { result: HistoryAnswers['history']; org: string }) {
  const { base } = usePageContext();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const [name, ref] = [query.get('name') ?? '', query.get('ref') ?? ''];
  return (
    <Panel
      title={`History of ${name}@${ref}`}
      id="history"
      result={result}
      aside={<Link href={withChoices(search, { name: null, ref: null })}>Close</Link>}
    >
      {(data) => (
        <>
          <DataTable
            caption={`Where ${ref} pointed`}
            captionHidden
            columns={columns}
            rows={data.observations.toReversed()}
            rowKey={({ from }) => from}
            noun="observations"
            csvHref={`${base}/api/exposure/actions/history?${new URLSearchParams({ org, name, ref, format: 'csv' })}`}
            empty={{
              cause:
                'No observations. Tags and branches are checked every night; a commit SHA is not, as it cannot move.',
            }}
          />
          {data.truncated ? <p className="prose">Only the newest 1,000 observations are shown.</p> : null}
          <Gaps gaps={data.gaps} />
          <UsedBy data={data} base={base} />
        </>
      )}
    </Panel>
  );
}

const columns: Column<Observation>[] = [
  { key: 'from', label: 'Seen from', heading: true, cell: ({ from }) => <Moment at={from} as="date-time" /> },
  { key: 'to', label: 'To', cell: ({ to }) => <Moment at={to} as="date-time" /> },
  {
    key: 'commit',
    label: 'Commit',
    cell: ({ commit, state, repository }) => (
      <>
        {commit ? <code title={commit}>{shortCommit(commit)}</code> : stateLabels[state]}
        {repository ? <span className="sub muted">{repository}</span> : null}
      </>
    ),
  },
  { key: 'move', label: 'Move', cell: (row) => (row.class || row.alarming !== false ? <MoveBadge move={row} /> : '') },
];

const stateLabels: Record<Observation['state'], string> = {
  present: '',
  gone: 'No such tag or branch',
  repository_gone: 'Repository not visible',
  unreadable: 'Not readable',
};

function Gaps({ gaps }: Pick<RefHistory, 'gaps'>) {
  if (gaps.length === 0) return null;
  return (
    <ul>
      {gaps.map(({ from, to }) => (
        <li key={from}>
          Not known from <Moment at={from} as="date-time" /> to <Moment at={to} as="date-time" />
        </li>
      ))}
    </ul>
  );
}

function UsedBy({ data, base }: { data: RefHistory; base: string }) {
  return (
    <p className="prose">
      Used by{' '}
      {data.used_by.map(({ repo, path, first_day, last_day, days }, index) => (
        <span key={`${repo} ${path}`}>
          {index > 0 ? ', ' : ''}
          <Link href={`${base}/repos/${repo}/security`}>{repo}</Link>{' '}
          <span className="muted">
            ({path ? `${path}, ` : ''}
            {count(days, 'day')} from {first_day} to {last_day})
          </span>
        </span>
      ))}
      .
    </p>
  );
}
