import { data, useLocation } from 'react-router';
import { changeUserGroups, getInvitations } from '../../../server/api/admin/groups.ts';
import { getTeamMembers, getTeams } from '../../../server/api/admin/teams.ts';
import { getUsers, putUserGroups } from '../../../server/api/admin/users.ts';
import { type PanelRequest, panel, submit } from '../../../server/http/adapters.ts';
import { deferAnswers } from '../../../server/http/deferred-panels.ts';
import { readFlash } from '../../../server/http/done.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { withChoices } from '../../components/choices.ts';
import { FilterBar } from '../../components/filter-bar.tsx';
import type { Submitted } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Route } from './+types/users';
import { AddPeople, type TeamAnswers } from './add-people.tsx';
import { groupNames } from './group-choices.tsx';
import { GroupsChanged, groupsChangedNotice } from './groups-changed.tsx';
import { InvitationTable } from './invitation-table.tsx';
import { SelectedPeople, selectedAccounts } from './selected-people.tsx';
import { UserTable } from './user-table.tsx';

const pageSize = 50;

export const loader = async ({ context, params }: Route.LoaderArgs) => {
  const pageRequest = { context: context.get(requestContext), params };
  const team = pageRequest.context.url.searchParams.get('team');
  const beside = { ...pageRequest, isOptional: true };
  const [people, invited, { panels }, saved, changed] = await Promise.all([
    loadPeople(pageRequest),
    panel(getInvitations, pageRequest),
    deferAnswers(beside, loadTeams(beside, team), (failed) => ({ teams: failed, members: team ? failed : null })),
    readFlash(pageRequest.context, 'saved'),
    readFlash(pageRequest.context, 'changed'),
  ]);
  return { people, invited, panels, team, saved, changed };
};

async function loadTeams(beside: PanelRequest, team: string | null): Promise<TeamAnswers> {
  const [teams, members] = await Promise.all([panel(getTeams, beside), team ? panel(getTeamMembers, beside) : null]);
  return { teams, members };
}

async function loadPeople(pageRequest: PanelRequest) {
  const query = pageRequest.context.url.searchParams;
  const page = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
  const getGroup = async (group: string) => {
    const extra = {
      limit: String(pageSize),
      offset: String((page - 1) * pageSize),
      group: group === everybody ? undefined : group,
    };
    const users = await panel(getUsers, { context: pageRequest.context, params: pageRequest.params, extra });
    return { page, group, users };
  };
  const chosen = query.get('group');
  if (chosen || query.get('q')) return getGroup(chosen ?? everybody);
  // Who waits for access comes first, as long as anybody does.
  const waiting = await getGroup('none');
  const isNobody = waiting.users.ok && waiting.users.data.total === 0;
  return isNobody ? getGroup(everybody) : waiting;
}

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const pageRequest = { context: context.get(requestContext), params, request };
  const { search } = pageRequest.context.url;
  const toNext = (choices: Record<string, null | string>) => `/admin/users${withChoices(search, choices)}`;
  const afterChange = (_: FormData, result: object) =>
    toNext({ changed: groupsChangedNotice(result), saved: null, team: null, page: null });
  const done = await submit(pageRequest, {
    save: {
      operation: putUserGroups,
      next: (form) => toNext({ saved: formatSaved(form), changed: null, page: null }),
    },
    add: {
      operation: changeUserGroups,
      values: (form) => ({ logins: toLines(form.get('logins')) }),
      next: afterChange,
    },
    selected: {
      operation: changeUserGroups,
      values: (form) => ({ codehost_ids: selectedIds(form) }),
      next: afterChange,
    },
    withdraw: {
      operation: changeUserGroups,
      values: (form) => ({ change: 'remove', groups: String(form.get('groups')).split(',') }),
      next: afterChange,
    },
  });
  return done instanceof Response ? done : data(done.data, { status: done.status });
};

const selectedIds = (form: FormData) =>
  [...form.getAll('selected'), ...String(form.get('everybody') ?? '').split(',')].filter(Boolean);

const toLines = (text: FormDataEntryValue | null) => String(text ?? '').split(/\r?\n/);

const formatSaved = (form: FormData) => [form.get('login'), ...form.getAll('groups')].join(',');

const everybody = 'all';

/** Everybody who has signed in or is invited, and the groups they are in. */
export default function UsersPage({ loaderData, actionData }: Route.ComponentProps) {
  const { people, invited, panels, team, saved, changed } = loaderData;
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const hrefWithoutSaved = withChoices(search, { saved: null, changed: null });
  const rejected = actionData?.rejected ?? null;
  const selection = rejectedFor(rejected, 'selected');
  const { users, group, page } = people;
  return (
    <Page title="Users" lead="Groups control access. Changes take effect within ten seconds.">
      {rejected ? <Notice tone="problem">{formatRejected(rejected)}</Notice> : null}
      {rejected ? null : <Saved value={saved} />}
      {rejected ? null : <GroupsChanged value={changed} />}
      <AddPeople panels={panels} team={team} search={hrefWithoutSaved} rejected={rejectedFor(rejected, 'add')} />
      <Panel title="People" result={users}>
        {({ users: rows, total, offset }) => (
          <>
            <FilterBar search={hrefWithoutSaved} filters={filters(group, query)} />
            {rows.length > 0 ? (
              <SelectedPeople accounts={rows.map(({ codehost_id: id }) => id)} rejected={selection} />
            ) : null}
            <UserTable
              rows={rows}
              rejected={rejectedFor(rejected, 'save')}
              selected={selectedAccounts(selection)}
              empty={emptyMessage(group, query.get('q'))}
            />
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
      {invited.ok && invited.data.invitations.length === 0 ? null : (
        <Panel title="Invited" result={invited}>
          {({ invitations }) => <InvitationTable rows={invitations} />}
        </Panel>
      )}
    </Page>
  );
}

const rejectedFor = (rejected: Submitted | null, intent: string) => (rejected?.intent === intent ? rejected : null);

function formatRejected({ intent, values, problem }: Submitted): string {
  if (intent === 'save') return `${values.login} was not changed. ${problem.error}`;
  return problem.details?.fields?.length ? 'Nothing was changed. See the form.' : problem.error;
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
