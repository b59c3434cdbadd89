import type { ReactNode } from 'react';
import { quantity } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { type RuleSource, type SecurityRow, severityStatus } from './labels.ts';

type Named = SecurityRow['alerts'][number];

/** The columns of repositories when one advisory or rule is chosen: its alerts there, with the fix. */
export const namedColumns = (source: RuleSource): Column<SecurityRow>[] => [
  {
    key: 'severity',
    label: 'Severity',
    cell: ({ alerts }) =>
      eachAlert(alerts, ({ severity }) => <Badge status={severityStatus[severity]}>{severity}</Badge>),
  },
  { key: 'where', label: 'File', cell: ({ alerts }) => eachAlert(alerts, ({ path }) => <Path path={path} />) },
  ...(source === 'dependabot' ? [fixColumn] : []),
  {
    key: 'age',
    label: 'Age',
    numeric: true,
    cell: ({ alerts }) => eachAlert(alerts, ({ age_days: age }) => quantity(age, 'days')),
  },
  {
    key: 'alert',
    label: 'Alert',
    cell: ({ alerts, open_count: open }) => (
      <>
        {eachAlert(alerts, ({ html_url: url, number }) => (url === '#' ? `#${number}` : <a href={url}>#{number}</a>))}
        {open !== null && open > alerts.length ? (
          <span className="sub muted">{`and ${open - alerts.length} more`}</span>
        ) : null}
      </>
    ),
  },
];

const Path = ({ path }: { path: string | null }) =>
  path === null ? (
    <Unknown reason="Path unknown." />
  ) : (
    <span className="brief" title={path}>
      {path}
    </span>
  );

const fixColumn: Column<SecurityRow> = {
  key: 'fix',
  label: 'Fixed in',
  cell: ({ alerts }) =>
    eachAlert(alerts, ({ fix_available: fix, patched_version: version }) =>
      version === null ? (fix === false ? 'no fix yet' : 'not reported') : version,
    ),
};

/** One line for each alert, in the same order in every column. */
const eachAlert = (alerts: readonly Named[], content: (alert: Named) => ReactNode) =>
  alerts.map((alert) => (
    <span key={`${alert.source} ${alert.number}`} className="line">
      {content(alert)}
    </span>
  ));
