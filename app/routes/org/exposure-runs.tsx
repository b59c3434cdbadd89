import { figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReachedSecrets } from './exposure-reach.tsx';
import { type Search, VerdictBadge, verdictOptions, Why } from './exposure-words.tsx';

type Use = Search['uses'][number];

export const runsOnPage = 25;
/** As many as a page of the API has. */
const rowsInFile = 1000;

/** The attempts of one repository or of all, the worst first. */
export function ExposureRuns({ data }: { data: Search }) {
  const { base } = usePageContext();
  const search = useSearch();
  const query = new URLSearchParams(search);
  const chosen = query.get('repo');
  const secret = query.get('secret');
  const toFile = (changes: FileChoice) => toSearchFile({ base, search, org: data.org }, changes);
  const toPage = (page: number) => `${withChoices(search, { page: String(page) })}#runs`;
  return (
    <Panel
      title={nameRuns(chosen, secret)}
      id="runs"
      result={{ ok: true, data }}
      aside={
        chosen || secret ? (
          <Link href={`${withChoices(search, { repo: null, secret: null, page: null })}#runs`}>All runs</Link>
        ) : null
      }
    >
      {({ uses, total, page, pages }) => (
        <>
          <FilterBar
            label="Which runs"
            search={withChoices(search, { page: null })}
            filters={[
              {
                kind: 'links',
                name: 'verdict',
                label: 'Verdict',
                value: query.get('verdict') ?? '',
                options: [{ value: '', label: 'All' }, ...verdictOptions],
              },
            ]}
          />
          <DataTable
            caption="Attempts of runs, the worst first"
            captionHidden
            columns={columnsOf(data)}
            rows={uses}
            rowKey={({ run }) => `${run.id} ${run.attempt}`}
            noun="attempts"
            csvHref={toFile({ format: 'csv', csv_pages: 'all' })}
            empty={{ cause: 'No runs match in that time.' }}
          />
          <Files total={total} toFile={toFile} />
          <Pager
            from={(page - 1) * runsOnPage + 1}
            to={(page - 1) * runsOnPage + uses.length}
            total={total}
            noun="attempts"
            previousHref={page > 1 ? toPage(page - 1) : null}
            nextHref={page < pages ? toPage(page + 1) : null}
          />
        </>
      )}
    </Panel>
  );
}

function nameRuns(repo: string | null, secret: string | null): string {
  const runs = repo ? `Runs of ${repo}` : 'Runs';
  if (!secret) return runs;
  return `${runs} with ${secret === '*' ? 'every secret' : secret} in reach`;
}

interface FileChoice {
  format: 'csv' | 'sarif';
  csv_pages?: 'all';
  table?: 'repositories' | 'secrets';
  page?: number;
}

interface Searched {
  base: string;
  search: string;
  org: string;
}

/** The address of the same search as a file. */
export function toSearchFile({ base, search, org }: Searched, choice: FileChoice): string {
  const asked = [...new URLSearchParams(search)].filter(([name]) => name !== 'limit' && name !== 'page');
  const query = new URLSearchParams(asked);
  query.set('org', org);
  query.set('limit', String(rowsInFile));
  return `${base}/api/exposure/search${withChoices(query, { ...choice })}`;
}

/** SARIF; where the attempts are more than a file has, each file with what it has. */
function Files({ total, toFile }: { total: number; toFile(changes: FileChoice): string }) {
  const parts = Array.from({ length: Math.ceil(total / rowsInFile) }, (_, index) => index + 1);
  if (parts.length === 0) return null;
  if (parts.length === 1)
    return (
      <p className="source">
        <a href={toFile({ format: 'sarif' })}>SARIF</a>
      </p>
    );
  return (
    <p className="source">
      SARIF of attempts{' '}
      {parts.map((part) => (
        <span key={part}>
          {part > 1 ? ', ' : ''}
          <a href={toFile({ format: 'sarif', page: part })}>
            {figures((part - 1) * rowsInFile + 1)} to {figures(Math.min(part * rowsInFile, total))}
          </a>
        </span>
      ))}
    </p>
  );
}

const suspectColumn: Column<Use> = { key: 'suspect', label: 'About', cell: ({ suspect }) => suspect };

const secretsColumn: Column<Use> = {
  key: 'secrets',
  label: 'Secrets in reach',
  cell: (row) => <ReachedSecrets use={row} />,
};

/** Only what any of the rows has. */
const columnsOf = ({ suspects, uses }: Search): Column<Use>[] => [
  ...columns,
  ...(uses.some(({ verdict }) => verdict === 'proven' || verdict === 'possible') ? [secretsColumn] : []),
  ...(suspects.length > 1 ? [suspectColumn] : []),
];

const columns: Column<Use>[] = [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    cell: ({ repo, run }) => (
      <>
        {run.html_url ? (
          <a href={run.html_url}>
            {run.workflow ?? 'Run'} #{run.number}
          </a>
        ) : (
          `${run.workflow ?? 'Run'} #${run.number}`
        )}
        <span className="sub muted">
          {repo}
          {run.attempt > 1 ? `, attempt ${run.attempt}` : ''}
        </span>
      </>
    ),
  },
  { key: 'verdict', label: 'Verdict', cell: (row) => <VerdictBadge verdict={row.verdict} /> },
  { key: 'why', label: 'Why', wide: true, cell: (row) => <Why row={row} /> },
  { key: 'started', label: 'Started', cell: ({ run }) => <Moment at={run.started_at} as="date-time" /> },
  {
    key: 'event',
    label: 'Event',
    cell: ({ run }) => (
      <>
        {run.event}
        {run.head_branch ? <span className="sub muted">{run.head_branch}</span> : null}
      </>
    ),
  },
];
