import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import type { Endpoint } from './webhook-endpoint-form.tsx';

const offReasons = {
  gone: 'It answered 410, so it takes no more requests.',
  failing: 'Ten alerts in a row were not delivered.',
} as const;

/** How an endpoint does, its last deliveries, and what can be done with it. */
export function EndpointState({ endpoint, version }: { endpoint: Endpoint; version: string }) {
  const { csrf } = usePageContext();
  const { id, name, url, enabled, off_reason: offReason, failures, previous_until: previousUntil } = endpoint;
  return (
    <>
      {offReason ? (
        <Notice tone="problem" title="Switched off.">
          {offReasons[offReason]} To switch it on again, change it and tick “Send alerts”.
        </Notice>
      ) : null}
      <p>
        <Badge status={state(endpoint).status}>{state(endpoint).label}</Badge> {url}
      </p>
      {enabled && failures > 0 ? (
        <p>{`${failures} alerts in a row were not delivered. After 10 it is switched off.`}</p>
      ) : null}
      {previousUntil ? (
        <p>
          The previous secret is valid until <Moment at={previousUntil} as="date-time" />.
        </p>
      ) : null}
      <DataTable
        caption={`Last deliveries to ${name}, newest first`}
        columns={columns}
        rows={endpoint.deliveries}
        rowKey={({ at, event_id: event }) => `${at} ${event}`}
        empty={{ cause: 'No deliveries yet.' }}
      />
      <div className="actions">
        <Form csrf={csrf} intent="test" submit="Send test" hidden={{ id }} label={`Test ${name}`} inline />
        <Form
          csrf={csrf}
          intent="rotate"
          submit="Rotate secret"
          hidden={{ id, version }}
          label={`Rotate ${name}`}
          inline
        />
        <a href={`/settings/webhooks?edit=${id}`}>Change</a>{' '}
        <Form csrf={csrf} intent="delete" submit="Delete" hidden={{ id }} label={`Delete ${name}`} inline danger />
      </div>
    </>
  );
}

function state({ enabled, failures }: Endpoint) {
  if (!enabled) return { status: 'void', label: 'Off' } as const;
  if (failures > 0) return { status: 'warning', label: 'Failing' } as const;
  return { status: 'pass', label: 'On' } as const;
}

const columns: Column<Endpoint['deliveries'][number]>[] = [
  { key: 'at', label: 'Sent', heading: true, cell: ({ at }) => <Moment at={at} as="date-time" /> },
  { key: 'event', label: 'Alert', cell: ({ event_id: event }) => (event === null ? 'Test' : event) },
  {
    key: 'result',
    label: 'Result',
    cell: ({ error, status }) => (
      <Badge status={error === null ? 'pass' : 'fail'}>{error ?? `Delivered (${status})`}</Badge>
    ),
  },
  { key: 'ms', label: 'Duration', numeric: true, value: ({ ms }) => ms, cell: ({ ms }) => `${ms} ms` },
];
