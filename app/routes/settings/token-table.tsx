import type { getTokens } from '../../../server/api/tokens/operations.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { Badge } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Answer = Extract<PanelsOf<{ result: typeof getTokens }>['result'], { ok: true }>['data'];
export type TokenRow = Answer['tokens'][number] & { login?: string };

const states = {
  live: { status: 'pass', label: 'Active' },
  expiring: { status: 'warning', label: 'Expires soon' },
  broken: { status: 'fail', label: 'Not working' },
  expired: { status: 'void', label: 'Expired' },
  revoked: { status: 'void', label: 'Revoked' },
} as const;

interface TokenTableProps {
  rows: readonly TokenRow[];
  /** What features are called. */
  labels: Readonly<Record<string, string>>;
  empty?: string;
}

/** Access tokens, each with a button that revokes it; of everybody with their owners. */
export function TokenTable({ rows, labels, empty = 'No tokens yet.' }: TokenTableProps) {
  const { csrf, hostName } = usePageContext();
  const columns: Column<TokenRow>[] = [
    {
      key: 'name',
      label: 'Token',
      heading: true,
      cell: ({ name, kind, hint, login }) => (
        <>
          {login ? `${login}: ${name}` : name}
          <span className="sub muted">
            {kind === 'feed' ? 'feed, ' : ''}ends in {hint}
          </span>
        </>
      ),
    },
    {
      key: 'features',
      label: 'May read',
      cell: ({ features }) =>
        features.length > 0 ? (
          <details>
            <summary>{features.length === 1 ? '1 feature' : `${features.length} features`}</summary>
            {features.map((key) => labels[key]).join(', ')}
          </details>
        ) : (
          'Repositories and runs'
        ),
    },
    {
      key: 'state',
      label: 'State',
      cell: ({ state }) => (
        <>
          <Badge status={states[state].status}>{states[state].label}</Badge>
          {state === 'broken' ? (
            <span className="sub muted">{`${hostName} rejected the token behind it. Make a new one.`}</span>
          ) : null}
        </>
      ),
    },
    {
      key: 'used',
      label: 'Last used',
      explain: 'Accurate to five minutes.',
      cell: ({ last_used_at: at, last_used_from: from }) =>
        at ? (
          <>
            <Moment at={at} />
            <span className="sub muted">from {from}</span>
          </>
        ) : (
          'Never'
        ),
    },
    { key: 'created', label: 'Created', cell: ({ created_at: at }) => <Moment at={at} as="date-time" /> },
    { key: 'expires', label: 'Expires', cell: ({ expires_at: at }) => <Moment at={at} as="date-time" /> },
    {
      key: 'revoke',
      label: 'Revoke',
      cell: ({ id, name, state }) =>
        state === 'revoked' || state === 'expired' ? null : (
          <Form csrf={csrf} intent="one" submit="Revoke" hidden={{ id }} label={`Revoke ${name}`} inline />
        ),
    },
  ];
  return (
    <DataTable
      caption="Access tokens, newest first"
      captionHidden
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      empty={{ cause: empty }}
    />
  );
}
