import { figures } from '../../../server/domain/quantity.ts';
import { Badge } from '../../components/badge.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { type AlertEvent, amount, deliveryText, getScopeName, windowText } from './labels.ts';

interface Props {
  rows: readonly AlertEvent[];
  limit: number;
}

/** When rules fired, with what came of it. */
export function EventTable({ rows, limit }: Props) {
  return (
    <>
      <DataTable
        caption="Alerts, newest first"
        captionHidden
        rows={rows}
        rowKey={({ id }) => id}
        empty={{ cause: 'No alerts yet.' }}
        columns={[
          { key: 'what', label: 'Alert', heading: true, cell: (event) => <What event={event} /> },
          { key: 'value', label: 'Value', numeric: true, cell: (event) => <Value event={event} /> },
          { key: 'fired', label: 'Fired', cell: ({ fired_at }) => <When at={fired_at} /> },
          { key: 'state', label: 'State', cell: (event) => <State event={event} /> },
          { key: 'notified', label: 'Notified', cell: (event) => <Delivery event={event} /> },
          { key: 'rule', label: 'Rule', cell: ({ rule_id: id }) => (id === null ? 'deleted' : <RuleLink id={id} />) },
        ]}
      />
      {rows.length >= limit ? <p className="source">{`Showing the latest ${figures(limit)}.`}</p> : null}
    </>
  );
}

const RuleLink = ({ id }: { id: number }) => <a href={`#rule-${id}`}>Rule {id}</a>;

function When({ at }: { at: string }) {
  const { now, zone } = usePageContext();
  return <Moment at={at} now={now} zone={zone} />;
}

function What({ event: { label, repo, scope, details, explained_at: href } }: { event: AlertEvent }) {
  const { workflow } = details;
  return (
    <>
      {label}
      <span className="sub">
        {repo === null ? getScopeName(scope) : <a href={href}>{repo}</a>}
        {workflow === undefined ? null : <span className="muted"> {workflow}</span>}
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
        threshold {amount(threshold, unit)}, {is_of_now ? null : `${windowText(effective_window_hours)}, `}n ={' '}
        {figures(sample_size)}
      </span>
    </>
  );
}

function State({ event }: { event: AlertEvent }) {
  if (event.is_test) return <Badge status="void">test</Badge>;
  if (event.is_open) return <Badge status="fail">open</Badge>;
  if (event.resolved_at === null) return <Badge status="void">not resolved in 7 days</Badge>;
  return (
    <>
      <Badge status="pass">resolved</Badge>
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
