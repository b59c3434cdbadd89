import { expect, test } from 'vitest';
import { putPermission } from '../../server/api/admin/permissions.ts';
import { putUserGroups } from '../../server/api/admin/users.ts';
import type { Operation } from '../../server/api/operation.ts';
import { putTeamSettings } from '../../server/api/settings/team.ts';
import { emptyReply } from '../../server/http/execute.ts';
import { parseInput, readForm } from '../../server/http/input.ts';
import { Problem } from '../../server/platform/problem.ts';

/** What an operation is given, or the fields that are rejected, when a form has these fields. */
function given(operation: Pick<Operation, 'input'>, fields: [string, string][], params = {}): unknown {
  const form = new FormData();
  for (const [key, value] of [['csrf', 'x'], ['intent', 'save'], ...fields] as const) form.append(key, value);
  try {
    return parseInput(operation, readForm(form, params, operation), emptyReply());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.details?.fields?.map(({ field, reason }) => `${field} ${reason}`);
  }
}

test('boxes of one name are a list, and none of them is an empty one', () => {
  const id: [string, string] = ['codehostId', '7'];
  const two: [string, string][] = [
    ['groups', 'dev'],
    ['groups', 'pm'],
  ];
  expect(given(putUserGroups, [id, ...two])).toEqual({ codehostId: 7, before: [], groups: ['dev', 'pm'] });
  expect(given(putUserGroups, [id, ['groups', 'dev']])).toEqual({ codehostId: 7, before: [], groups: ['dev'] });
  expect(given(putUserGroups, [id])).toEqual({ codehostId: 7, before: [], groups: [] });
  expect(given(putUserGroups, [id, ['groups', 'owners']])).toEqual(['groups invalid']);
  expect(given(putUserGroups, [id, id])).toEqual(['codehostId duplicate']);
  expect(given(putUserGroups, [id, ...two], { codehostId: '8' })).toEqual({
    codehostId: 8,
    before: [],
    groups: ['dev', 'pm'],
  });
});

test('yes and no are distinguished, and anything else is neither', () => {
  const cell = (granted: string): [string, string][] => [
    ['group', 'dev'],
    ['flag', 'dora'],
    ['granted', granted],
  ];
  expect(given(putPermission, cell('true'))).toEqual({ group: 'dev', flag: 'dora', granted: true });
  expect(given(putPermission, cell('false'))).toEqual({ group: 'dev', flag: 'dora', granted: false });
  for (const other of ['yes', 'on', '1', 'TRUE'])
    expect(given(putPermission, cell(other))).toEqual(['granted invalid']);
  expect(given(putPermission, cell(''))).toEqual(['granted missing']);
});

test('an hour is the same from a form and from JSON', () => {
  const day = (start: string): [string, string][] => [
    ['timezone', 'UTC'],
    ['start', start],
    ['end', '17'],
  ];
  expect(given(putTeamSettings, day('9'))).toEqual({ timezone: 'UTC', start: 9, end: 17 });
  for (const other of ['9.5', '-1', '24', ' 9', 'nine'])
    expect(given(putTeamSettings, day(other))).toEqual(['start invalid']);
  expect(given(putTeamSettings, day('18'))).toEqual(['end invalid']);
});

test('a form of thousands of fields takes about as long per field as one of few', () => {
  const secondsFor = (fields: number) => {
    const form = new FormData();
    for (let index = 0; index < fields; index++) form.append(String(index), '1');
    const { user } = process.cpuUsage();
    expect(Object.keys(readForm(form, {}, putTeamSettings).values)).toHaveLength(fields);
    return (process.cpuUsage().user - user) / 1e6;
  };
  secondsFor(1_000);
  // Twenty times as many would take four hundred times as long, were each looked for among all.
  expect(secondsFor(40_000)).toBeLessThan(100 * Math.max(secondsFor(2_000), 0.002));
});
