import { data, useLocation } from 'react-router';
import { getUsers, putUserGroups } from '../../../server/api/admin/users.ts';
import { panel, submit } from '../../../server/http/adapters.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/users';
import { groupNames, UserTable } from './user-table.tsx';

const pageSize = 50;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const query = pageRequest.context.url.searchParams;
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
  const paging = { limit: String(pageSize), offset: String((page - 1) * pageSize) };
  const getGroup = (group: string) =>
    panel(getUsers, { ...pageRequest, extra: { ...paging, group: group === everybody ? undefined : group } });
  const chosen = query.get('group');
  const saved = await readFlash(pageRequest.context, 'saved');
  if (chosen || query.get('q'))
    return { page, group: chosen ?? everybody, users: await getGroup(chosen ?? everybody), saved };
  // Who waits for access comes first, as long as anybody does.
  const waiting = await getGroup('none');
  const isNobody = waiting.ok && waiting.data.total === 0;
  return isNobody
    ? { page, group: everybody, users: await getGroup(everybody), saved }
    : { page, group: 'none', users: waiting, saved };
};

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const { search } = pageRequest.context.url;
  const done = await submit(pageRequest, {
    save: {
      operation: putUserGroups,
      next: (form) => `/admin/users${withChoices(search, { saved: formatSaved(form), page: null })}`,
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const formatSaved = (form: FormData) => [form.get('login'), ...form.getAll('groups')].join(',');

const everybody = 'all';

/** Everybody who has signed in, and the groups they are in. */
export default function UsersPage({ loaderData: { users, group, page, saved }, actionData }: Route.ComponentProps) {
  const { now, zone } = usePageContext();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const hrefWithoutSaved = withChoices(search, { saved: null });
  const rejected = actionData?.rejected ?? null;
  return (
    <Page title="Users" lead="Users who have signed in. Groups control access; changes take effect within ten seconds.">
      {rejected ? (
        <Notice tone="problem">{`${rejected.values.login} was not changed. ${rejected.problem.error}`}</Notice>
      ) : null}
      {rejected ? null : <Saved value={saved} />}
      <Panel title="People" result={users} now={now} zone={zone} retryHref="/admin/users">
        {({ users: rows, total, offset }) => (
          <>
            <FilterBar search={hrefWithoutSaved} filters={filters(group, query)} />
            <UserTable rows={rows} rejected={rejected} empty={emptyMessage(group, query.get('q'))} />
            <Pager
              from={offset + 1}
              to={offset + rows.length}
              total={total}
              noun="people"
              previousHref={page > 1 ? withChoices(hrefWithoutSaved, { page: page - 1 }) : null}
              nextHref={offset + rows.length < total ? withChoices(hrefWithoutSaved, { page: page + 1 }) : null}
            />
          </>
        )}
      </Panel>
    </Page>
  );
}

const filters = (group: string, query: URLSearchParams) => [
  {
    kind: 'links' as const,
    name: 'group',
    label: 'Group',
    value: group,
    options: [
      { value: 'none', label: 'waiting for access' },
      { value: everybody, label: 'everybody' },
      ...groupNames.map((value) => ({ value, label: value })),
    ],
  },
  { kind: 'text' as const, name: 'q', label: 'Login or name', value: query.get('q') },
];

function emptyMessage(group: string, q: string | null): string {
  if (q) return 'No users match these filters.';
  if (group === 'none') return 'No users are waiting for access.';
  return group === everybody ? 'No users yet.' : `No users in the group ${group}.`;
}

/** What was just saved: a login, then groups. */
function Saved({ value }: { value: string | null }) {
  const [login, ...groups] = (value ?? '').split(',').filter(Boolean);
  if (!login) return null;
  return (
    <Notice tone="done" title="Saved.">
      {groups.length > 0 ? `${login} is in ${groups.join(', ')}.` : `${login} is not in any group and has no access.`}
    </Notice>
  );
}
