import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, visitService } from '../../api/endpoints.ts';
import { aCommit, anActor } from '../../codehost-double/delivery-builders.ts';
import { namedNow } from '../../codehost-double/named-world.ts';

const visit = visitService({ MODE: 'organization' });
const ann = { as: 'token-ann' };
const path = '/api/admin/identity-links';
const known = async () => (await visit.service.ask('GET', path, ann)).body;
const pairs = async () =>
  (await known()).links.map(({ alias, primary }: { alias: string; primary: string }) => `${alias}→${primary}`);
const link = (alias: unknown, primary: unknown) =>
  visit.service.ask('POST', path, { ...ann, body: { alias, primary } });
const unlink = (alias: string) => visit.service.ask('DELETE', `${path}?alias=${encodeURIComponent(alias)}`, ann);
const mark = (a: unknown, b: unknown) => visit.service.ask('POST', `${path}/distinct`, { ...ann, body: { a, b } });
const unmark = (a: string, b: string) => visit.service.ask('DELETE', `${path}/distinct?a=${a}&b=${b}`, ann);
const preview = async (alias: string, primary: string) =>
  (await visit.service.ask('GET', `${path}/preview?alias=${alias}&primary=${primary}`, ann)).body;
const audited = async () => {
  const { entries } = (await visit.service.ask('GET', '/api/admin/audit?category=identity&limit=200', ann)).body;
  return entries.map((one: { action: string; target: string; before: unknown; after: unknown }) =>
    [one.action.replace('identity.', ''), one.target, one.before, one.after].join(' '),
  );
};

/** What was written since the last test; the oldest last. */
let seen = 0;
const written = async () => {
  const all = await audited();
  return all.slice(0, all.length - seen);
};

beforeAll(() => visit.service.signIn('token-ann'));

afterEach(async () => {
  visit.service.clock.advance(60_000);
  const { links, distinct } = await known();
  for (const { alias } of links) expect((await unlink(alias)).status).toBe(200);
  for (const { a, b } of distinct) expect((await unmark(a, b)).status).toBe(200);
  seen = (await audited()).length;
  expect(await visit.service.app.services.store?.audit.broken()).toBeNull();
});

describe('a link', () => {
  test('leads to the main login of its primary', async () => {
    expect((await link('b', 'a')).status).toBe(201);
    const answer = await link('c', 'B');
    expect([answer.status, answer.body]).toEqual([201, { primary: 'a', affected: ['c'] }]);
    expect(await pairs()).toEqual(['b→a', 'c→a']);
    expect((await known()).links[0]).toEqual({
      alias: 'b',
      alias_kind: 'account',
      primary: 'a',
      created_by: 'ann',
      created_at: expect.stringMatching(/^2026-11-16T10/),
    });
  });

  test('takes along what was linked to it, with one entry for each login', async () => {
    await link('c', 'b');
    const answer = await link('b', 'a');
    expect(answer.body).toEqual({ primary: 'a', affected: ['b', 'c'] });
    expect(await pairs()).toEqual(['b→a', 'c→a']);
    expect(await written()).toEqual(['moved c b a', 'linked b  a', 'linked c  b']);
  });

  test('that is there changes nothing; to somebody else it is moved', async () => {
    await link('c', 'b');
    const again = await link('C', 'b');
    expect([again.status, again.body]).toEqual([200, { primary: 'b', affected: [] }]);
    const moved = await link('c', 'a');
    expect([moved.status, moved.body]).toEqual([200, { primary: 'a', affected: ['c'] }]);
    expect(await written()).toEqual(['relinked c b a', 'linked c  b']);
  });

  test('to itself or in a circle is rejected', async () => {
    for (const [alias, primary] of [
      ['a', 'a'],
      ['a', 'A'],
      ['robot[bot]', 'robot'],
    ] as const)
      expectFields(await link(alias, primary), ['primary', 'invalid']);
    await link('b', 'a');
    await link('c', 'a');
    for (const primary of ['b', 'C']) expectProblem(await link('a', primary), 409, 'link_cycle');
    expect(await pairs()).toEqual(['b→a', 'c→a']);
    expect(await written()).toHaveLength(2);
  });

  test('takes a git author’s name for an alias, and a login for its primary', async () => {
    expect((await link('  Ann Ngô 🚀 ', 'ann')).body).toEqual({ primary: 'ann', affected: ['Ann Ngô 🚀'] });
    expect((await unlink('ANN NGÔ 🚀')).body).toEqual({ alias: 'Ann Ngô 🚀', primary: 'ann' });
    for (const alias of ['', ' ', 'x'.repeat(101), 'a\u0000b', 7, null])
      expectFields(await link(alias, 'ann'), ['alias', 'invalid']);
    for (const primary of ['Ann Ngô', '-a', '', 7]) expectFields(await link('b', primary), ['primary', 'invalid']);
    expectFields(
      await visit.service.ask('POST', path, { ...ann, body: {} }),
      ['alias', 'missing'],
      ['primary', 'missing'],
    );
  });

  test('of a name leaves the account of that login alone, and is one beside it', async () => {
    const named = { alias: 'c', alias_kind: 'name' };
    const ask = (body: object) => visit.service.ask('POST', path, { ...ann, body });
    expect((await ask({ ...named, primary: 'a' })).status).toBe(201);
    expect((await link('b', 'c')).body).toEqual({ primary: 'c', affected: ['b'] });
    expect((await link('c', 'd')).body).toEqual({ primary: 'd', affected: ['c', 'b'] });
    expect((await ask({ alias: 'D', alias_kind: 'name', primary: 'd' })).status).toBe(201);
    const kinds = async () =>
      (await known()).links.map(({ alias, alias_kind, primary }: Record<string, string>) =>
        [alias, alias_kind, primary].join(' '),
      );
    expect(await kinds()).toEqual(['c name a', 'b account d', 'c account d', 'D name d']);
    expect((await unlink('c')).body).toEqual({ alias: 'c', primary: 'd' });
    expectProblem(await visit.service.ask('DELETE', `${path}?alias=c&alias_kind=account`, ann), 404, 'not_found');
    expect((await unlink('c')).body).toEqual({ alias: 'c', primary: 'a' });
  });

  test('is taken away once', async () => {
    await link('b', 'a');
    expect((await unlink('B')).body).toEqual({ alias: 'b', primary: 'a' });
    expectProblem(await unlink('b'), 404, 'not_found');
    expectFields(await visit.service.ask('DELETE', path, ann), ['alias', 'missing']);
    expect(await written()).toEqual(['unlinked b a ', 'linked b  a']);
  });

  test('changes nobody’s access', async () => {
    await visit.service.signIn('token-bo');
    await link('bo', 'ann');
    expectProblem(await visit.service.ask('GET', path, { as: 'token-bo' }), 403, 'no_groups');
    const me = await visit.service.ask('GET', '/api/auth/me', { as: 'token-bo' });
    expect(me.body).toMatchObject({ login: 'bo', groups: [], is_admin: false, features: [] });
    await visit.service.ask('PUT', '/api/admin/users/102/groups', { ...ann, body: { groups: ['dev'] } });
    const { features } = (await visit.service.ask('GET', '/api/auth/me', ann)).body;
    await link('ann', 'carol');
    const after = await visit.service.ask('GET', '/api/auth/me', ann);
    expect(after.body).toMatchObject({ login: 'ann', groups: ['admin'], is_admin: true, features });
    expectProblem(await visit.service.ask('GET', path, { as: 'token-bo' }), 403, 'forbidden');
  });

  test('is foretold without being made', async () => {
    await link('c', 'b');
    await mark('d', 'c');
    expect(await preview('b', 'a')).toEqual({
      alias: 'b',
      primary: 'a',
      refused: null,
      changes: [
        { login: 'b', action: 'identity.linked', before: null },
        { login: 'c', action: 'identity.moved', before: 'b' },
      ],
    });
    const expectRejected = async (alias: string, primary: string) => (await preview(alias, primary)).refused?.code;
    expect(await expectRejected('b', 'c')).toBe('link_cycle');
    expect(await expectRejected('d', 'b')).toBe('marked_distinct');
    expect(await expectRejected('b', 'B')).toBe('invalid_request');
    expect(await preview('c', 'b')).toMatchObject({ primary: 'b', changes: [], refused: null });
    expect(await pairs()).toEqual(['c→b']);
  });
});

describe('two who were marked as different people', () => {
  test('are not linked, nor what is linked to them, until that is taken back', async () => {
    const made = await mark('b', 'A');
    expect([made.status, made.body]).toEqual([201, { a: 'A', b: 'b' }]);
    expect((await mark('a', 'b')).status).toBe(200);
    await link('c', 'b');
    for (const [alias, primary] of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'c'],
    ] as const)
      expectProblem(await link(alias, primary), 409, 'marked_distinct');
    expect(await pairs()).toEqual(['c→b']);
    expect((await unmark('B', 'a')).body).toEqual({ a: 'A', b: 'b' });
    expectProblem(await unmark('a', 'b'), 404, 'not_found');
    expect((await link('b', 'a')).status).toBe(201);
    expect(await written()).toEqual([
      'moved c b a',
      'linked b  a',
      'unmarked_distinct b A ',
      'unmarked_distinct A b ',
      'linked c  b',
      'marked_distinct b  A',
      'marked_distinct A  b',
    ]);
  });

  test('are neither one nor linked', async () => {
    expectFields(await mark('a', 'A'), ['b', 'invalid']);
    await link('b', 'a');
    await link('c', 'a');
    for (const [a, b] of [
      ['a', 'b'],
      ['c', 'b'],
    ] as const)
      expectProblem(await mark(a, b), 409, 'already_linked');
    expect((await known()).distinct).toEqual([]);
  });
});

describe('suggestions', () => {
  interface Suggestion {
    alias: string;
    primary: string;
    reason: string;
    explanation: string;
  }
  const suggested = async () => {
    const { body } = await visit.service.ask('GET', `${path}/suggestions?owner=octo&repo=twins`, ann);
    return body.suggestions.map(({ alias, primary, reason }: Suggestion) => `${alias}→${primary} ${reason}`);
  };
  const commit = (n: number, login: string | null, authorName?: string) =>
    aCommit(
      namedNow - n * 3_600_000,
      login === null ? null : anActor(login),
      `Change ${n}`,
      authorName ? { authorName } : {},
    );

  test('come from the repository’s commits, with the reason; what was decided is not requested again', async () => {
    const commits = [
      commit(1, 'zoe-park', 'Zoë Park'),
      commit(2, 'zoe-park', 'Zoë Park'),
      commit(3, null, 'Zoe Park'),
      commit(4, 'maxim', 'Max'),
      commit(5, 'maxim', 'Max'),
      commit(6, 'maxim-octo', 'M.'),
      commit(7, 'lindberg', 'L'),
      commit(8, null, 'Lind Berg'),
      commit(9, 'dependabot[bot]', 'Zoë Park'),
    ];
    visit.service.double.addRepository({ name: 'octo/twins', commits });
    const first = await suggested();
    expect(first).toEqual([
      'Zoe Park→zoe-park same_name',
      'maxim-octo→maxim similar_login',
      'Lind Berg→lindberg name_like_login',
    ]);
    await link('Zoe Park', 'zoe-park');
    await mark('maxim', 'maxim-octo');
    expect(await suggested()).toEqual(['Lind Berg→lindberg name_like_login']);
  });

  test('are made of what the asking administrator may see', async () => {
    const ask = (query: string) => visit.service.ask('GET', `${path}/suggestions?${query}`, ann);
    expectProblem(await ask('owner=octo&repo=nowhere'), 404, 'not_found');
    expectFields(await ask('owner=octo'), ['repo', 'missing']);
    const empty = await ask('owner=octo&repo=empty');
    expect(empty.body).toMatchObject({ suggestions: [], total: 0, contributors_compared: 0, repo: 'octo/empty' });
  });
});
