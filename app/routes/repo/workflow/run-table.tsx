import { defaultBranchOnly } from '../../../../server/domain/default-branch.ts';
import { Link } from '../../../charts/link.tsx';
import { Badge } from '../../../components/badge.tsx';
import { withChoices } from '../../../components/choices.ts';
import { type Column, DataTable, withoutEmpty } from '../../../components/data-table.tsx';
import { usePageContext } from '../../../components/page-context.ts';
import { orderRows, requestedOrder } from '../../../components/row-order.ts';
import { type GetProfileHref, useProfileHref } from '../../people/person-href.ts';
import { runColumns, Trigger } from '../../tables/run-columns.tsx';
import { nameBranch, requestedBranch, withoutRun } from './branch.tsx';
import type { Run } from './operations.ts';

interface Props {
  runs: readonly Run[];
  /** `owner/repo` */
  repository: string;
  selected: string | null;
  search: string;
  csvHref?: string;
}

/** Runs in the order that the address asks for, newest first when it asks for none. */
export function RunTable({ runs, repository, selected, search, csvHref }: Props) {
  const { hostName } = usePageContext();
  const query = new URLSearchParams(search);
  const branch = nameBranch(query);
  const getProfileHref = useProfileHref(repository.split('/')[0] ?? '');
  const shown = withoutEmpty(columns({ runs, repository, selected, search }, hostName, getProfileHref), runs);
  const order = requestedOrder(shown, { key: 'age', direction: 'asc' }, query.get('sort'));
  const href = (by: string, towards: string) => withChoices(search, { sort: `${by}-${towards}`, run: null });
  return (
    <DataTable
      caption="Runs"
      captionHidden
      columns={shown}
      rows={orderRows(runs, shown, order, 'age')}
      sorting={{ key: order.key, direction: order.direction, href }}
      rowKey={(run) => run.id}
      noun="runs"
      csvHref={csvHref}
      empty={
        branch === null
          ? { cause: 'No runs yet.' }
          : {
              cause: `${branch}: no runs${requestedBranch(query) === defaultBranchOnly ? ' among the newest 100' : ''}.`,
              next: { label: 'All branches', href: withChoices(search, { branch: null, ...withoutRun }) },
            }
      }
    />
  );
}

const columns = (
  { runs, repository, selected, search }: Omit<Props, 'csvHref'>,
  hostName: string,
  getProfileHref: GetProfileHref,
): Column<Run>[] => [
  {
    key: 'run',
    label: 'Run',
    heading: true,
    sort: 'desc',
    value: ({ run_number }) => run_number,
    cell: (run) => (
      <>
        <Link
          href={`${withChoices(search, { run: run.id, attempt: null })}#jobs`}
          aria-current={String(run.id) === selected || undefined}
        >
          #{run.run_number}
        </Link>{' '}
        {run.display_title}
        <Trigger run={run} repository={repository} />
      </>
    ),
  },
  { ...runColumns.result, sort: 'asc', value: ({ conclusion, status }) => conclusion ?? status },
  { ...runColumns.attempt, sort: 'desc' },
  {
    key: 'by',
    label: 'By',
    sort: 'asc',
    value: ({ actor }) => actor?.login.toLowerCase() ?? null,
    cell: ({ actor }) => <Actor login={actor?.login ?? null} getProfileHref={getProfileHref} />,
  },
  { ...runColumns.created, key: 'age', label: 'Age', sort: 'asc', value: ({ created_at }) => -Date.parse(created_at) },
  { ...runColumns.duration, sort: 'desc' },
  { ...runColumns.queue, sort: 'desc' },
  ...(runs.some(({ anomalies }) => anomalies.length > 0) ? [unusual] : []),
  ...(runs.some(hasPage)
    ? [
        {
          key: 'link',
          label: hostName,
          cell: (run: Run) => (hasPage(run) ? <Link href={run.html_url}>Open</Link> : null),
        },
      ]
    : []),
];

/** Bots have no page to lead to. */
function Actor({ login, getProfileHref }: { login: string | null; getProfileHref: GetProfileHref }) {
  if (login === null) return 'deleted account';
  return login.endsWith('[bot]') ? login : <Link href={getProfileHref(login)}>{login}</Link>;
}

/** Runs of the sample organization are nowhere else. */
const hasPage = ({ html_url: url }: Run) => url !== '#';

const unusual: Column<Run> = {
  key: 'unusual',
  label: 'Unusual',
  cell: ({ anomalies }) =>
    anomalies.map(({ metric, direction, severity }) => (
      <span key={metric} className="line">
        <Badge status="warning">{`${metric === 'duration' ? 'duration' : 'queue'} ${direction}, ${severity}`}</Badge>
      </span>
    )),
};
