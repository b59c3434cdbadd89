import { Badge, type Status } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Measurement, type Reading } from '../../components/measurement.tsx';
import { SharedParamsLink } from '../../components/shared-params.tsx';
import { alertSources, sourceNames } from '../security/labels.ts';
import type { Alerts } from './security.tsx';

/** The alerts that a number is of, when not all. */
export interface AlertsQuery {
  source?: SourceKey;
  severity?: Alerts['alerts'][number]['severity'];
}

/** Where a number is opened, by its key. */
export type Evidence = (metric: string, query?: AlertsQuery) => string;

type SourceKey = keyof Alerts['sources'];
type Source = Alerts['sources'][SourceKey];

const sourceErrors: Record<Exclude<Source['status'], 'ok'>, [Status, string]> = {
  not_enabled: ['void', 'not enabled'],
  forbidden: ['warning', 'denied to your token'],
  error: ['fail', 'could not be read'],
};

/** Each source by itself: at once where not all of them could be read. */
export function Sources({ data: { sources, partial }, evidence }: { data: Alerts; evidence: Evidence }) {
  return (
    <details open={partial || Object.values(sources).some(({ status }) => status !== 'ok')}>
      <summary>By source</summary>
      <DataTable
        caption="Alerts by source, 90 days"
        captionHidden
        columns={sourceColumns(evidence)}
        rows={alertSources.map((key) => ({ key, ...sources[key] }))}
        rowKey={({ key }) => key}
      />
    </details>
  );
}

const unknown = 'Could not be loaded.';

/** A number with the way to what it is made of; an unknown one leads nowhere. */
function Opened({ value, href, showSample }: { value: Reading; href: string; showSample?: boolean }) {
  const shown = <Measurement value={value} showSample={showSample} />;
  return value.value === null ? shown : <SharedParamsLink href={href}>{shown}</SharedParamsLink>;
}

const sourceColumns = (evidence: Evidence): Column<Source & { key: SourceKey }>[] => [
  { key: 'source', label: 'Alerts about', heading: true, cell: ({ key }) => sourceNames[key] },
  { key: 'status', label: 'Status', cell: (source) => <SourceStatus source={source} /> },
  {
    key: 'open',
    label: 'Open',
    numeric: true,
    cell: ({ key: source, open_count: value, truncated }) => (
      <Opened
        value={{ value, unit: 'count', quality: truncated ? 'floor' : 'measured', reason: unknown }}
        href={evidence('open_security_alerts', { source })}
      />
    ),
  },
  {
    key: 'fixed',
    label: 'Fixed',
    numeric: true,
    cell: ({ key: source, fixed_last_90d: value, ended_truncated }) => (
      <Opened
        value={{ value, unit: 'count', quality: ended_truncated ? 'floor' : 'measured', reason: unknown }}
        href={evidence('fixed_security_alerts', { source })}
      />
    ),
  },
  {
    key: 'time',
    label: 'Time to fix',
    numeric: true,
    explain: 'Mean time from creation to fix',
    cell: ({ key: source, mttr_days: value, fixed_last_90d: sample, ended_truncated }) => (
      <Opened
        value={{
          value,
          unit: 'days',
          sample,
          quality: ended_truncated ? 'estimated' : 'measured',
          reason: sample === null ? unknown : ended_truncated ? 'None fixed of those loaded.' : 'None fixed.',
        }}
        href={evidence('mean_days_to_fix', { source })}
        showSample={value !== null && !ended_truncated}
      />
    ),
  },
  {
    key: 'dismissed',
    label: 'Dismissed',
    numeric: true,
    explain: 'Closed without a fix',
    cell: ({ key: source, dismissed_last_90d: value, ended_truncated }) => (
      <Opened
        value={{ value, unit: 'count', quality: ended_truncated ? 'floor' : 'measured', reason: unknown }}
        href={evidence('dismissed_security_alerts', { source })}
      />
    ),
  },
];

/** Never in green: that is for the repository whose every source is read and empty. */
function SourceStatus({ source }: { source: Source }) {
  const { status, message, open_count: open, truncated, ended_truncated } = source;
  const [kind, word] = status === 'ok' ? [null, null] : sourceErrors[status];
  const more = [
    message,
    truncated ? 'More are open.' : null,
    ended_truncated ? 'More were fixed or dismissed.' : null,
  ].filter((text) => text !== null);
  return (
    <>
      {kind ? <Badge status={kind}>{word}</Badge> : open === 0 && !truncated ? 'none open' : 'read'}
      {more.map((text) => (
        <span key={text} className="sub muted">
          {text}
        </span>
      ))}
    </>
  );
}
