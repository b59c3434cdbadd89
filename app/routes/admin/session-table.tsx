import type { getSessionsOfAccounts } from '../../../server/api/admin/sessions.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { browserName } from '../browser-name.ts';

type Answer = Extract<PanelsOf<{ result: typeof getSessionsOfAccounts }>['result'], { ok: true }>['data'];
type Row = Answer['sessions'][number];

/** Sessions of everybody, each with a button that ends it. */
export function SessionTable({ rows, empty }: { rows: readonly Row[]; empty: string }) {
  const { csrf } = usePageContext();
  const columns: Column<Row>[] = [
    {
      key: 'login',
      label: 'Person',
      heading: true,
      cell: ({ login, current, user_agent }) => (
        <>
          {login}
          <span className="sub muted">{`${browserName(user_agent)}${current ? ' (this one)' : ''}`}</span>
        </>
      ),
    },
    {
      key: 'used',
      label: 'Last used',
      explain: 'Accurate to five minutes.',
      cell: ({ last_used_at: at }) => <Moment at={at} />,
    },
    { key: 'created', label: 'Signed in', cell: ({ created_at: at }) => <Moment at={at} as="date-time" /> },
    { key: 'expires', label: 'Expires', cell: ({ expires_at: at }) => <Moment at={at} as="date-time" /> },
    { key: 'end', label: 'End', cell: (row) => <EndOne row={row} csrf={csrf} /> },
  ];
  return (
    <DataTable
      caption="Sessions, last used first"
      captionHidden
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      empty={{ cause: empty }}
    />
  );
}

/** The button names its session, for those who hear it without the table. */
function EndOne({ row: { id, login, current, user_agent }, csrf }: { row: Row; csrf: string }) {
  const label = `Sign ${login} out of ${browserName(user_agent)}`;
  if (current) return <Form action="/sign-out" csrf={csrf} submit="Sign out" label={label} inline />;
  return <Form csrf={csrf} intent="one" submit="Sign out" hidden={{ id, of: login }} label={label} inline />;
}
