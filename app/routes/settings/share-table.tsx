import type { getShares } from '../../../server/api/shares/operations.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Answer = Extract<PanelsOf<{ result: typeof getShares }>['result'], { ok: true }>['data'];
type ShareRow = Answer['shares'][number];

const states = {
  live: { status: 'pass', label: 'Active' },
  expired: { status: 'void', label: 'Expired' },
  revoked: { status: 'void', label: 'Revoked' },
  outdated: { status: 'void', label: 'Of another version' },
} as const;

/** Shares, each with a button that revokes it. */
export function ShareTable({ rows }: { rows: readonly ShareRow[] }) {
  const { csrf } = usePageContext();
  const columns: Column<ShareRow>[] = [
    { key: 'title', label: 'Shows', heading: true, cell: ({ title }) => title },
    { key: 'owner', label: 'Made by', cell: ({ owner }) => owner },
    {
      key: 'state',
      label: 'State',
      cell: ({ state }) => <Badge status={states[state].status}>{states[state].label}</Badge>,
    },
    { key: 'created', label: 'Created', cell: ({ created_at: at }) => <Moment at={at} as="date-time" /> },
    {
      key: 'expires',
      label: 'Expires',
      cell: ({ expires_at: at }) => (at ? <Moment at={at} as="date-time" /> : 'Never'),
    },
    {
      key: 'opens',
      label: 'Opened',
      numeric: true,
      value: ({ opens }) => opens,
      unit: 'count',
      reason: 'Not counted.',
    },
    {
      key: 'revoke',
      label: 'Revoke',
      cell: ({ id, title, state }) =>
        state === 'live' || state === 'outdated' ? (
          <Form csrf={csrf} intent="revoke" submit="Revoke" hidden={{ id }} label={`Revoke ${title}`} inline />
        ) : null,
    },
  ];
  return (
    <DataTable
      caption="Badges and links, newest first"
      captionHidden
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      empty={{ cause: 'Nothing is shared.' }}
    />
  );
}
