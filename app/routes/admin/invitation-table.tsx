import type { getInvitations } from '../../../server/api/admin/groups.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';

type Answer = Extract<PanelsOf<{ invited: typeof getInvitations }>['invited'], { ok: true }>['data'];
type Invitation = Answer['invitations'][number];

/** Who gets groups at their first sign-in; every invitation can be withdrawn. */
export function InvitationTable({ rows }: { rows: readonly Invitation[] }) {
  const { csrf } = usePageContext();
  const columns: Column<Invitation>[] = [
    { key: 'login', label: 'Login', heading: true, cell: ({ login }) => login },
    { key: 'groups', label: 'Groups', cell: ({ groups }) => groups.join(', ') },
    { key: 'by', label: 'Invited by', cell: ({ invited_by: by }) => by },
    { key: 'at', label: 'Invited', cell: ({ invited_at: at }) => <Moment at={at} /> },
    {
      key: 'withdraw',
      label: 'Change',
      cell: ({ login, groups }) => (
        <Form
          csrf={csrf}
          intent="withdraw"
          submit="Withdraw"
          inline
          label={`Withdraw the invitation of ${login}`}
          hidden={{ logins: login, groups: groups.join(',') }}
        />
      ),
    },
  ];
  return (
    <DataTable caption="Invited people" captionHidden columns={columns} rows={rows} rowKey={({ login }) => login} />
  );
}
