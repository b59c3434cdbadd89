import type { getUsers } from '../../../server/api/admin/users.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Form, keptInput, type Submitted } from '../../components/form.tsx';
import { Moment } from '../../components/moment.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { GroupChoices, tickedGroups } from './group-choices.tsx';
import { selectionForm } from './selected-people.tsx';

type Answer = Extract<PanelsOf<{ users: typeof getUsers }>['users'], { ok: true }>['data'];
type User = Answer['users'][number];

interface UserTableProps {
  rows: readonly User[];
  /** What was ticked for somebody and rejected. */
  rejected: Submitted | null;
  /** Ids of accounts that are ticked for a change of several. */
  selected: readonly string[];
  empty: string;
}

/** People with their groups; every row is saved by itself, or several are ticked for a change together. */
export function UserTable({ rows, rejected, selected, empty }: UserTableProps) {
  // After a rename two accounts have one login until the first one signs in again.
  const isShared = (login: string) => rows.filter((row) => isSameLogin(row.login, login)).length > 1;
  const columns: Column<User>[] = [
    {
      key: 'login',
      label: 'Person',
      heading: true,
      cell: ({ codehost_id: id, login, name }) => (
        <>
          <label>
            <input
              type="checkbox"
              name="selected"
              value={id}
              form={selectionForm}
              defaultChecked={selected.includes(id)}
              aria-label={`Select ${login}`}
            />{' '}
            {login}
          </label>
          {name ? <span className="sub muted">{name}</span> : null}
          {isShared(login) ? <span className="sub muted">account {id}</span> : null}
        </>
      ),
    },
    { key: 'groups', label: 'Groups', cell: (user) => <Groups user={user} rejected={rejectedFor(user, rejected)} /> },
    {
      key: 'seen',
      label: 'Last seen',
      explain: 'Accurate to five minutes.',
      cell: ({ last_seen_at: at }) => <Moment at={at} />,
    },
    { key: 'first', label: 'First seen', cell: ({ first_seen_at: at }) => <Moment at={at} as="date" /> },
    {
      key: 'denied',
      label: 'Last denied',
      cell: ({ last_denied_at: at, last_denied_code: code }) =>
        at === null ? (
          'never'
        ) : (
          <>
            <Moment at={at} />
            <span className="sub muted">{formatDenial(code ?? '')}</span>
          </>
        ),
    },
  ];
  return (
    <DataTable
      caption="Users, last seen first"
      captionHidden
      columns={columns}
      rows={rows}
      rowKey={({ codehost_id }) => codehost_id}
      empty={{ cause: empty }}
    />
  );
}

const isSameLogin = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const rejectedFor = ({ codehost_id }: User, rejected: Submitted | null) =>
  rejected?.values.codehostId === codehost_id ? rejected : null;

function Groups({ user, rejected }: { user: User; rejected: Submitted | null }) {
  const { csrf } = usePageContext();
  const typed = keptInput(rejected);
  const ticked = typed ? tickedGroups(typed.values) : user.groups;
  return (
    <Form
      csrf={csrf}
      intent="save"
      submitted={rejected}
      submit="Save"
      inline
      label={`Groups of ${user.login}`}
      hidden={{ codehostId: user.codehost_id, login: user.login }}
    >
      {user.groups.map((group) => (
        <input key={group} type="hidden" name="before" value={group} />
      ))}
      <GroupChoices legend={`Groups of ${user.login}`} legendHidden ticked={ticked} />
    </Form>
  );
}

/** `no group`, or the key of the feature that was missing. */
function formatDenial(code: string): string {
  const [reason, flag] = code.split(':');
  if (flag === 'admin') return 'administrators only';
  if (flag) return `${flag} is not granted`;
  return plainDenials[reason ?? ''] ?? (reason ?? '').replaceAll('_', ' ');
}

const plainDenials: Record<string, string> = {
  no_groups: 'not in any group',
  org_not_allowed: 'not a member of an organization that can sign in',
};
