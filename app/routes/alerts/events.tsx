import type { ReactNode } from 'react';
import { figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { NewestFirstPager } from '../../components/newest-first-pager.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { ChangedRule, type RuleChange } from './changed-rule.tsx';
import { type AlertEvent, amount, deliveryText, getScopeName, type Rule, ruleAnchor, windowText } from './labels.ts';

interface Props {
  rules: readonly Rule[];
  events: readonly AlertEvent[];
  /** Changes of rules; empty for those who may not read the audit log. */
  changes: readonly RuleChange[];
  /** Whether the audit log has more of them, older ones. */
  hasOlderChanges: boolean;
  /** Where older alerts begin; null at the end. */
  nextCursor: string | null;
}

type Row = { at: string; event: AlertEvent; change: null } | { at: string; event: null; change: RuleChange };

/** When rules fired, with what came of it, and when they were changed. */
export function EventTable({ rules, events, changes, hasOlderChanges, nextCursor }: Props) {
  const { base } = usePageContext();
  const search = useSearch();
  const cursor = new URLSearchParams(search).get('cursor');
  const rows: Row[] = [
    ...events.map((event) => ({ at: event.fired_at, event, change: null })),
    ...changes.filter(isOnPage({ cursor, nextCursor })).map((change) => ({ at: change.at, event: null, change })),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const findRule = (id: number | null) => rules.find((rule) => rule.id === id) ?? null;
  const ofEvent = (cell: (event: AlertEvent) => ReactNode) => (row: Row) => (row.event ? cell(row.event) : null);
  return (
    <>
      <DataTable
        caption="Alerts and rule changes, newest first"
        captionHidden
        rows={rows}
        rowKey={({ event, change }) => (event ? `event ${event.id}` : `change ${change?.id}`)}
        empty={{ cause: 'No alerts yet.' }}
        columns={[
          {
            key: 'what',
            label: 'Alert',
            heading: true,
            cell: ({ event, change }) =>
              event ? (
                <What event={event} rule={findRule(event.rule_id)} />
              ) : (
                <ChangedRule change={change} rule={findRule(Number(change.target))} />
              ),
          },
          { key: 'value', label: 'Value', numeric: true, cell: ofEvent((event) => <Value event={event} />) },
          { key: 'when', label: 'When', cell: ({ at }) => <When at={at} /> },
          { key: 'state', label: 'State', cell: ofEvent((event) => <State event={event} />) },
          { key: 'notified', label: 'Notified', cell: ofEvent((event) => <Delivery event={event} />) },
        ]}
      />
      <NewestFirstPager
        noun="the alert history"
        param="cursor"
        next={nextCursor}
        shown={nextCursor === null ? 'End of history.' : null}
        anchor="#fired"
      />
      {hasOlderChanges ? (
        <p className="source">
          The latest {figures(changes.length)} rule changes are shown; older ones are in the{' '}
          <a href="/admin/audit?category=alerts">audit log</a>.
        </p>
      ) : null}
      {events.length > 0 && base === '' ? (
        <p className="source">
          <a href={`/api/alerts?${csvQuery}`}>CSV of alerts</a>
        </p>
      ) : null}
    </>
  );
}

/** All alerts as a file. */
const csvQuery = new URLSearchParams({ events: '1', table: 'events', format: 'csv', csv_pages: 'all' });

/** Whether a change was made while the alerts of the page fired; the first page has what is newer, the last what is older. */
function isOnPage(page: { cursor: string | null; nextCursor: string | null }) {
  const [newest, oldest] = [page.cursor, page.nextCursor].map((one) =>
    one === null ? null : Number.parseInt(one, 10),
  );
  return ({ at }: RuleChange): boolean => {
    const madeAt = Date.parse(at);
    return (newest == null || madeAt < newest) && (oldest == null || madeAt >= oldest);
  };
}

function When({ at }: { at: string }) {
  return <Moment at={at} />;
}

function What({
  event: { label, repo, scope, details, explained_at: path },
  rule,
}: {
  event: AlertEvent;
  rule: Rule | null;
}) {
  const { base } = usePageContext();
  const subject = details.workflow ?? details.title;
  return (
    <>
      {rule === null ? (
        <>
          {label} <span className="muted">(rule deleted)</span>
        </>
      ) : (
        <a href={`#${ruleAnchor(rule.id)}`}>{label}</a>
      )}
      <span className="sub">
        {repo === null ? getScopeName(scope) : <a href={`${base}${path}`}>{repo}</a>}
        {subject === undefined ? null : <span className="muted"> {subject}</span>}
      </span>
    </>
  );
}

function Value({
  event: { value, unit, threshold, sample_size, effective_window_hours, is_of_now },
}: {
  event: AlertEvent;
}) {
  return (
    <>
      {amount(value, unit)}
      <span className="sub muted">
        threshold {amount(threshold, unit)}, {is_of_now ? null : `${windowText(effective_window_hours)}, `}
        {`n\u00a0=\u00a0${figures(sample_size)}`}
      </span>
    </>
  );
}

function State({ event }: { event: AlertEvent }) {
  if (event.is_test) return <Badge status="void">Test</Badge>;
  if (event.is_open) return <Badge status="fail">Open</Badge>;
  if (event.resolved_at === null) return <Badge status="void">Not resolved</Badge>;
  return (
    <>
      <Badge status="pass">Resolved</Badge>
      <span className="sub muted">
        <When at={event.resolved_at} />
      </span>
    </>
  );
}

function Delivery({ event }: { event: AlertEvent }) {
  return (
    <>
      {deliveryText(event)}
      {event.delivery_error === null ? null : <span className="sub muted">{event.delivery_error}</span>}
    </>
  );
}
