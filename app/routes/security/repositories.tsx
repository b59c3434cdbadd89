import { figures } from '../../../server/domain/quantity.ts';
import { Badge, type Status } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement, Unknown } from '../../components/measurement.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { asGiven, orderSection } from '../../components/row-order.ts';
import { severityLabel } from './choices.ts';
import {
  alertSeverities,
  alertSources,
  isUnlisted,
  type Rule,
  type Security,
  type SecurityRow,
  sourceNames,
} from './labels.ts';
import { namedColumns } from './named-alerts.tsx';

interface Props {
  data: Security;
  /** The advisory or rule that is chosen; null when none or several are. */
  rule: Rule | null;
  /** The choices that a repository's own page takes too. */
  repositoryQuery: string;
  search: string;
  csvHref: string;
  empty: { cause: string; next?: { label: string; href: string } };
}

/** The repositories that match, the worst first, with the state of each source. */
export function SecurityTable({ data, rule, repositoryQuery, search, csvHref, empty }: Props) {
  const { base, webUrl, hostName } = usePageContext();
  const seesAlerts = !data.denied_features.includes('securityAlerts');
  const seesFindings = !data.denied_features.includes('securityScan');
  const columns: Column<SecurityRow>[] = [
    {
      key: 'repo',
      label: 'Repository',
      heading: true,
      sort: 'asc',
      value: ({ repo }) => repo,
      cell: (row) => (
        <>
          <a href={`${base}/repos/${row.owner}/${row.repo}/security${repositoryQuery}`}>{row.repo}</a>
          <span className="sub muted">{row.visibility}</span>
        </>
      ),
    },
    ...(rule && rule.source !== 'workflows' ? namedColumns(rule.source) : []),
    ...(seesAlerts && !rule ? alertColumns : []),
    ...(seesFindings && (!rule || rule.source === 'workflows') ? [findingColumn] : []),
    ...(base || (rule && rule.source !== 'workflows') ? [] : [hostColumn(webUrl, hostName)]),
  ];
  const ordered = orderSection(data.repos, columns, asGiven, { search, section: 'repositories' });
  return (
    <DataTable
      caption={
        rule ? 'Affected repositories, those open for longest first' : 'Repositories, most critical alerts first'
      }
      captionHidden
      columns={columns}
      rows={ordered.rows}
      // A page of several would be sorted within itself.
      sorting={data.pages > 1 ? undefined : ordered.sorting}
      rowKey={({ owner, repo }) => `${owner}/${repo}`}
      noun="repositories"
      csvHref={data.repos.length > 0 ? csvHref : undefined}
      empty={empty}
    />
  );
}

const hostColumn = (webUrl: string, hostName: string): Column<SecurityRow> => ({
  key: 'host',
  label: hostName,
  cell: ({ owner, repo }) => <a href={`${webUrl}/${owner}/${repo}/security`}>Open</a>,
});

/** Why nothing is known of the alerts of a repository. */
const explainUnknown = (row: SecurityRow) =>
  isUnlisted(row)
    ? 'None listed; the source may be off.'
    : isOff(row)
      ? 'No source is on.'
      : 'No source could be read.';

const isOff = ({ sources }: SecurityRow) =>
  sources !== null && alertSources.every((source) => sources[source].status === 'not_enabled');

const alertColumns: Column<SecurityRow>[] = [
  ...alertSeverities.map(
    (severity): Column<SecurityRow> => ({
      key: severity,
      label: severityLabel(severity),
      numeric: true,
      sort: 'desc',
      value: ({ open }) => open?.[severity] ?? null,
      cell: (row) => <OpenCount row={row} severity={severity} />,
    }),
  ),
  {
    key: 'oldest',
    label: 'Oldest',
    numeric: true,
    sort: 'desc',
    value: (row) => row.oldest_open_days,
    cell: (row) => (
      <Measurement
        value={{
          value: row.oldest_open_days,
          unit: 'days',
          reason: row.open_count === 0 ? 'No alert is open.' : explainUnknown(row),
        }}
      />
    ),
  },
  ...alertSources.map(
    (source): Column<SecurityRow> => ({
      key: source,
      label: sourceNames[source],
      explain: 'All open alerts of this source, whatever is chosen',
      cell: ({ sources }) => (sources ? <SourceState source={sources[source]} /> : null),
    }),
  ),
];

/** Where a source could not be read, or may be off, none is not known to be none. */
function OpenCount({ row, severity }: { row: SecurityRow; severity: (typeof alertSeverities)[number] }) {
  const { open, sources } = row;
  const states = sources === null ? [] : alertSources.map((source) => sources[source]);
  const isUnread = states.some(({ status }) => unreadStates.has(status));
  const isPartial = isUnread || states.some(({ truncated }) => truncated);
  const value = open?.[severity] ?? null;
  if (isPartial && value === 0)
    return <Unknown reason={isUnread ? 'Not every source could be read.' : 'More alerts are open than were read.'} />;
  if (isUnlisted(row) && !value) return <Unknown reason={explainUnknown(row)} />;
  const reason = explainUnknown(row);
  return <Measurement value={{ value, unit: 'count', reason, quality: isPartial ? 'floor' : 'measured' }} />;
}

const unreadStates: ReadonlySet<Source['status']> = new Set(['forbidden', 'error', 'not_read']);

type Source = NonNullable<SecurityRow['sources']>['dependabot'];

const sourceStates: Record<Exclude<Source['status'], 'ok'>, [Status, string]> = {
  none_listed: ['void', 'none listed'],
  not_enabled: ['void', 'not enabled'],
  forbidden: ['warning', 'no access'],
  error: ['fail', 'not read'],
  not_read: ['warning', 'not read yet'],
  not_requested: ['void', 'not requested'],
};

function SourceState({ source: { status, message, open_count: open, truncated } }: { source: Source }) {
  if (status === 'ok') return `${truncated ? 'at least ' : ''}${figures(open ?? 0)} open`;
  const [kind, word] = sourceStates[status];
  return (
    <span title={message ?? undefined}>
      <Badge status={kind}>{word}</Badge>
    </span>
  );
}

const findingColumn: Column<SecurityRow> = {
  key: 'workflows',
  label: 'Workflow files',
  explain: 'Findings in workflow files',
  cell: ({ workflows }) => (workflows ? <Findings workflows={workflows} /> : null),
};

function Findings({ workflows }: { workflows: NonNullable<SecurityRow['workflows']> }) {
  const { status, message, findings } = workflows;
  if (status === 'no_workflows') return <span className="muted">none</span>;
  if (findings === null) return <Unknown reason={message ?? 'The workflow files could not be read.'} />;
  const found = (['critical', 'high', 'medium', 'info'] as const).filter((severity) => findings[severity] > 0);
  if (found.length === 0) return workflows.partial ? 'none in what was read' : 'no findings';
  return found.map((severity) => `${figures(findings[severity])} ${severity}`).join(', ');
}
