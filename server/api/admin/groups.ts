import { z } from 'zod';
import { changedBy } from '../../access/context.ts';
import { organizationAdministrator } from '../../access/rules.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { instant } from '../../reports/kernel/instants.ts';
import { editableGroups, groups } from '../../store/entities/user.ts';
import type { GroupChange, GroupsChanged } from '../../store/group-changes.ts';
import { adminWrites, operation } from '../operation.ts';
import { login } from '../parameters.ts';

const maxLogins = 500;

const loginsOf = (description: string) => z.array(z.string()).meta({ description });

export const changeUserGroups = operation({
  method: 'POST',
  path: '/api/admin/users/groups',
  summary: 'Add people to groups or remove them, by account or login; who has not signed in is invited',
  access: organizationAdministrator,
  failures: ['last_admin'],
  limit: adminWrites,
  input: z.object({
    change: z.enum(['add', 'remove']).default('add'),
    logins: z
      .array(z.string().max(200, 'has a line of more than 200 characters'))
      .max(maxLogins, `has more than ${maxLogins} lines`)
      .default([])
      .meta({ description: 'One login each, with or without `@`; empty lines are skipped. All are changed, or none.' }),
    codehost_ids: z
      .array(z.string().regex(/^[1-9]\d{0,14}$/, 'has something else than ids of accounts'))
      .max(maxLogins, `has more than ${maxLogins}`)
      .default([])
      .meta({ description: '`codehost_id` of `GET /api/admin/users`: an account, whatever its login is by now.' }),
    groups: z.array(z.enum(groups)).min(1, 'must name at least one group').max(100, 'has more than 100'),
  }),
  output: z.object({
    changed: loginsOf('People whose groups changed.'),
    invited: loginsOf('Get the groups when they sign in within 30 days.'),
    withdrawn: loginsOf('Lost an invitation, entirely or to these groups.'),
    unchanged: loginsOf('Had the groups already, or had none of them.'),
  }),
  async run({ change, logins: lines, codehost_ids: ids, groups: wanted }, context) {
    const written = lines.map((line) => line.trim().replace(/^@/, ''));
    const logins = written.filter((line) => line !== '');
    if (logins.length + ids.length === 0) throw badLines(['Enter or select at least one person.'], 'missing');
    const bad = written.flatMap((line, index) => (line === '' || login.safeParse(line).success ? [] : [index]));
    if (bad.length > 0) throw badLines(bad.map((index) => `Line ${index + 1}: “${lines[index]}” is not a login.`));
    const accountIds = [...new Set(ids.map(Number))];
    const result = await context.store.groupChanges.change(
      { change, accountIds, logins, groups: wanted },
      await changedBy(context),
    );
    if (result.outcome !== 'done') throw problemOf(result, change, written);
    const { outcome: _, ...done } = result;
    return done;
  },
});

function problemOf(
  result: Exclude<GroupsChanged, { outcome: 'done' }>,
  change: GroupChange['change'],
  written: readonly string[],
): Problem {
  const line = (one: string) => `Line ${written.indexOf(one) + 1}: ${one}`;
  if (result.outcome === 'last_admin')
    return new Problem('last_admin', 'Nothing was changed: at least one administrator must remain.');
  if (result.outcome === 'unknown_accounts') {
    const message = `Nobody with the id ${result.accountIds.join(', ')} has signed in here.`;
    return invalidRequest([{ field: 'codehost_ids', reason: 'invalid', message }]);
  }
  if (result.outcome === 'unknown_users')
    return badLines(result.logins.map((one) => `${line(one)} ${unknownUser[change]}`));
  return badLines(
    result.logins.map(
      ({ login: one, accountIds }) =>
        `${line(one)} is the login of several accounts (${accountIds.join(', ')}). Select one in the table.`,
    ),
  );
}

const unknownUser = {
  add: 'has not signed in yet and cannot be invited as admin.',
  remove: 'has neither signed in nor been invited.',
};

const badLines = (messages: readonly string[], reason: 'invalid' | 'missing' = 'invalid') =>
  invalidRequest(messages.map((message) => ({ field: 'logins', reason, message })));

const Invitation = z
  .object({
    login: z.string(),
    groups: z.array(z.enum(editableGroups)),
    invited_by: z.string(),
    invited_at: instant,
  })
  .meta({ id: 'Invitation' });

export const getInvitations = operation({
  method: 'GET',
  path: '/api/admin/invitations',
  summary: 'Logins that have not signed in yet, and the groups they get when they do within 30 days',
  access: organizationAdministrator,
  input: z.object({}),
  output: z.object({ invitations: z.array(Invitation) }),
  rows: ({ invitations }) => invitations,
  run: async (_, { store, services }) => ({ invitations: await store.invitations.list(services.clock.now()) }),
});
