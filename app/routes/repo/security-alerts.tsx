import { Fragment, type ReactNode } from 'react';
import { count, figures, quantity } from '../../../server/domain/quantity.ts';
import { Badge, type Status } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { severityStatus, sourceNames } from '../security/labels.ts';
import type { Alerts } from './security.tsx';
import { type Evidence, Sources } from './security-sources.tsx';

interface Props {
  data: Alerts;
  evidence: Evidence;
}

type Alert = Alerts['alerts'][number];

/** The platform's alerts: how each source stands, then the worst of what is open. */
export function SecurityAlerts({ data, evidence, csvHref }: Props & { csvHref?: string }) {
  return (
    <>
      <Verdict data={data} evidence={evidence} />
      {data.total_open ? <Matching data={data} /> : null}
      {data.total_open && data.matching_open ? (
        <DataTable
          caption="Open alerts, most severe and oldest first"
          captionHidden
          columns={alertColumns}
          rows={data.alerts}
          rowKey={({ source, number }) => `${source} ${number}`}
          total={data.matching_open}
          noun="alerts"
          csvHref={csvHref}
        />
      ) : null}
      <Sources data={data} evidence={evidence} />
    </>
  );
}

/** How many of the open alerts the choices of the page leave. */
function Matching({ data: { matching_open: matching, total_open: open } }: Pick<Props, 'data'>) {
  if (matching === null || open === null || matching === open) return null;
  return (
    <p>{`${figures(matching)} of ${count(open, 'open alert')} ${matching === 1 ? 'matches' : 'match'} the filter.`}</p>
  );
}

/** Clean is said only where all was read and nothing is open. */
function Verdict({ data, evidence }: Pick<Props, 'data' | 'evidence'>) {
  const { total_open: open, needs_scope: needsScope } = data;
  return (
    <>
      <p>
        <Badge status={verdictStatus(data)}>
          {open === null ? (
            describeVerdict(data)
          ) : (
            <SharedParamsLink href={evidence('open_security_alerts')}>{describeVerdict(data)}</SharedParamsLink>
          )}
        </Badge>
        {open && data.counts ? (
          <Severities counts={data.counts} oldest={data.oldest_open_days} evidence={evidence} />
        ) : null}
      </p>
      {needsScope ? (
        <p className="source">
          To see denied sources, give the token read permission for these alerts: <code>security_events</code> for a
          classic one, the three permissions for alerts for a fine-grained one.
        </p>
      ) : null}
    </>
  );
}

/** What ended is no matter of the verdict, read or not. */
const areOpenPartial = ({ sources }: Alerts) =>
  Object.values(sources).some(({ status, truncated }) => status !== 'ok' || truncated);

function verdictStatus(data: Alerts): Status {
  const { total_open: open } = data;
  if (open === null) return 'void';
  if (open > 0) return 'fail';
  return areOpenPartial(data) ? 'warning' : 'pass';
}

function describeVerdict(data: Alerts): string {
  const { total_open: open } = data;
  if (open === null) return 'No source could be loaded';
  if (open > 0) return `${areOpenPartial(data) ? 'At least ' : ''}${count(open, 'open alert')}`;
  return areOpenPartial(data) ? 'No open alerts in the sources loaded' : 'No open alerts';
}

interface SeveritiesProps extends Pick<Props, 'evidence'> {
  counts: NonNullable<Alerts['counts']>;
  oldest: number | null;
}

function Severities({ counts, oldest, evidence }: SeveritiesProps) {
  const found = (['critical', 'high', 'medium', 'low'] as const).filter((severity) => counts[severity] > 0);
  return (
    <span className="muted">
      {': '}
      {found.map((severity, index) => (
        <Fragment key={severity}>
          {index > 0 ? ', ' : null}
          <SharedParamsLink href={evidence('open_security_alerts', { severity })}>
            {`${figures(counts[severity])} ${severity}`}
          </SharedParamsLink>
        </Fragment>
      ))}
      {oldest === null ? null : (
        <>
          ;{' '}
          <SharedParamsLink href={evidence('oldest_open_security_alert')}>
            {`oldest ${quantity(oldest < 10 ? oldest : Math.floor(oldest), 'days')}`}
          </SharedParamsLink>
        </>
      )}
    </span>
  );
}

const alertColumns: readonly Column<Alert>[] = [
  {
    key: 'alert',
    label: 'Alert',
    heading: true,
    cell: ({ title, html_url: url, subject, path }) => (
      <>
        {url === '#' ? title : <a href={url}>{title}</a>}
        <span className="sub muted">{[subject === title ? '' : subject, path].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  {
    key: 'severity',
    label: 'Severity',
    cell: ({ severity }) => <Badge status={severityStatus[severity]}>{severity}</Badge>,
  },
  { key: 'source', label: 'About', cell: ({ source }) => sourceNames[source] },
  { key: 'detail', label: 'Detail', cell: detail },
  { key: 'age', label: 'Age', cell: ({ created_at: at }) => <Moment at={at} as="age" /> },
];

function detail(alert: Alert): ReactNode {
  const { cvss, epss, fix_available: fix, patched_version: fixedIn, publicly_leaked: leaked, tool } = alert;
  const text = [
    leaked ? 'publicly leaked' : '',
    fix === null ? '' : fix ? (fixedIn === null ? 'a fix exists' : `fixed in ${fixedIn}`) : 'no fix yet',
    cvss === null ? '' : `CVSS ${figures(cvss, 1)}`,
    epss === null ? '' : `EPSS ${quantity(epss * 100, 'percent')}`,
    tool ?? '',
  ].filter(Boolean);
  return text.length ? text.join(', ') : <Unknown reason="No details available." />;
}
