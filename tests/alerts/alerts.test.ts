import { afterEach, describe, expect, test } from 'vitest';
import { expectFields, expectProblem, freshService, visitService } from '../api/endpoints.ts';
import { anyDatabase } from '../support/service.ts';
import { servicesOf } from './stage.ts';

const path = '/api/alerts';
const web = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };
/** The last of thirty days, and none before. */
const lately = (...last: (number | null)[]) => [...Array.from({ length: 30 - last.length }, () => null), ...last];

describe('with a database', () => {
  const visit = visitService({ DATABASE_URL: anyDatabase });
  afterEach(forgetRules);
  const ask = (method: string, body?: object, query = '') =>
    visit.service.ask(method, path + query, { as: 'token-ann', ...(body && { body }) });
  const add = async (more: object = {}) => (await ask('POST', { ...web, ...more })).body.rule;
  /** What was written down since the test began. */
  const audited = async () => (await alertEntries()).filter(({ id }) => id > lastEntry).map(({ action }) => action);
  let lastEntry = 0;
  async function alertEntries() {
    const { audit } = servicesOf(visit.service.app).store;
    return audit.list({ limit: 200, before: null, categories: ['alerts'], actor: null, action: null });
  }
  /** Each test begins without rules, and a minute later, so that nothing is counted against it. */
  async function forgetRules() {
    const { alertRules } = servicesOf(visit.service.app).store;
    const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: visit.service.clock.now() };
    for (const { id } of await alertRules.list()) await alertRules.remove(id, by);
    lastEntry = (await alertEntries())[0]?.id ?? 0;
    visit.service.clock.advance(60_000);
  }

  test('a rule is added with what was excluded, and reported as it stands', async () => {
    const answer = await ask('POST', web);
    expect(answer.status).toBe(201);
    const at = new Date(visit.service.clock.now()).toISOString();
    expect(answer.body.rule).toEqual({
      id: answer.body.rule.id,
      ...web,
      label: 'Failure rate',
      unit: 'percent',
      window_hours: 24,
      effective_window_hours: 24,
      is_of_now: false,
      min_sample: 5,
      channel: 'browser',
      destination: null,
      destination_name: null,
      destination_hidden: false,
      enabled: true,
      muted_until: null,
      owner_note: null,
      runbook_url: null,
      created_by: 'ann',
      created_at: at,
      updated_by: 'ann',
      updated_at: at,
      last_fired_at: null,
      last_evaluated_at: null,
      last_value: null,
      last_sample: null,
      has_reached: null,
      incomplete: null,
      unsent: null,
      health: 'scope_unreachable',
      highest_by_day: lately(),
    });
    const none = { events: [], table: 'rules', next_cursor: null, open_count: null };
    expect((await ask('GET')).body).toEqual({ rules: [answer.body.rule], ...none });
    expect(await audited()).toEqual(['alert.created']);
  });

  test('the same rule again is answered, not doubled, whatever its letters', async () => {
    const rule = await add({ channel: 'email', destination: 'a@codehost.example' });
    const again = await ask('POST', {
      ...web,
      scope: 'repo:Octo/WEB',
      window_hours: 24,
      channel: 'email',
      destination: 'a@codehost.example',
    });
    expect([again.status, again.body.duplicate, again.body.rule.id]).toEqual([200, true, rule.id]);
    expect((await ask('GET')).body.rules).toHaveLength(1);
    expect(await audited()).toEqual(['alert.created']);
  });

  test('of many at once that ask for the same rule one adds it', async () => {
    await ask('GET');
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask('POST', web)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect((await ask('GET')).body.rules).toHaveLength(1);
  });

  test.each<[object, string, string]>([
    [{ scope: 'octo/web' }, 'scope', 'invalid'],
    [{ scope: undefined }, 'scope', 'missing'],
    [{ metric: 'nothing' }, 'metric', 'invalid'],
    [{ threshold: undefined }, 'threshold', 'missing'],
    [{ threshold: -1 }, 'threshold', 'invalid'],
    [{ threshold: 100.1 }, 'threshold', 'invalid'],
    [{ window_hours: 0 }, 'window_hours', 'invalid'],
    [{ window_hours: 2161 }, 'window_hours', 'invalid'],
    [{ channel: 'fax' }, 'channel', 'invalid'],
    [{ destination: 'a@codehost.example' }, 'destination', 'invalid'],
    [{ channel: 'email' }, 'destination', 'missing'],
    [{ channel: 'email', destination: 'Ann <a@codehost.example>' }, 'destination', 'invalid'],
    [{ channel: 'digest', destination: 'a@b@codehost.example' }, 'destination', 'invalid'],
    [{ channel: 'slack', destination: 'https://hooks.slack.example/x' }, 'destination', 'invalid'],
    [{ channel: 'slack', destination: 'http://hooks.slack.com/x' }, 'destination', 'invalid'],
    [{ channel: 'slack', destination: 'https://hooks.slack.com@evil.example/x' }, 'destination', 'invalid'],
    [{ owner_note: 'x'.repeat(501) }, 'owner_note', 'invalid'],
    [{ runbook_url: 'javascript:alert(1)' }, 'runbook_url', 'invalid'],
    [{ runbook_url: `https://x.example/${'x'.repeat(500)}` }, 'runbook_url', 'invalid'],
    [{ min_sample: 1001 }, 'min_sample', 'invalid'],
    [{ metric: 'leadership_digest', destination: 'a@codehost.example' }, 'scope', 'invalid'],
    [{ scope: 'org:octo', metric: 'leadership_digest' }, 'destination', 'missing'],
    [{ surprise: 1 }, 'surprise', 'unknown'],
  ])('%o is rejected by its field', async (wrong, field, reason) => {
    expectFields(await ask('POST', { ...web, ...wrong }), [field, reason]);
    expect((await ask('GET')).body.rules).toEqual([]);
  });

  test('a scope that the caller cannot see is not there', async () => {
    expectProblem(await ask('POST', { ...web, scope: 'repo:octo/nowhere' }), 404, 'not_found');
    expectProblem(await ask('POST', { ...web, scope: 'org:nobody' }), 404, 'not_found');
  });

  test('a leadership digest is an email a week, without threshold and window', async () => {
    const rule = await add({
      scope: 'org:octo',
      metric: 'leadership_digest',
      threshold: 7,
      window_hours: 3,
      channel: 'slack',
      destination: 'a@codehost.example',
    });
    expect(rule).toMatchObject({
      threshold: 0,
      window_hours: 168,
      channel: 'email',
      label: 'Weekly leadership digest',
    });
  });

  test('what is synced nightly says so where the service has no token to read with', async () => {
    const why = expect.stringContaining('CODEHOST_TOKEN is not set');
    const digest = { scope: 'org:octo', metric: 'leadership_digest', destination: 'a@codehost.example' };
    expect(await add(digest)).toMatchObject({ health: 'no_data', incomplete: why });
    expect(await add({ metric: 'pr_abandon_rate' })).toMatchObject({ health: 'no_data', incomplete: why });
    expect((await add()).incomplete).toBeNull();
  });

  test('the streak by its other name is the streak of failures', async () => {
    expect(await add({ metric: 'success_streak', threshold: 3 })).toMatchObject({ metric: 'failure_streak' });
  });

  test('all fields of a change are changed at once; what is watched stays', async () => {
    const { id } = await add({ channel: 'email', destination: 'a@codehost.example' });
    const muted = new Date(visit.service.clock.now() + 86_400_000).toISOString();
    const notes = { owner_note: 'Ask Bo.', runbook_url: 'https://wiki.codehost.example/runbook' };
    const change = { id, enabled: false, threshold: 12.5, window_hours: 48, ...notes, min_sample: 20 };
    const answer = await ask('PATCH', { ...change, destination: 'b@codehost.example', muted_until: muted });
    expect(answer.status).toBe(200);
    expect(answer.body.rule).toMatchObject({ ...change, destination: 'b@codehost.example', muted_until: muted });
    expect(await audited()).toEqual(['alert.updated', 'alert.created']);
    for (const fixed of ['scope', 'metric', 'channel'])
      expectFields(await ask('PATCH', { id, [fixed]: 'email' }), [fixed, 'unknown']);
  });

  test('a change that says nothing, or nothing that is allowed, changes nothing', async () => {
    const rule = await add({ channel: 'email', destination: 'a@codehost.example' });
    const { id } = rule;
    expectFields(await ask('PATCH', { id }), ['id', 'invalid']);
    for (const destination of ['', '••••@codehost.example;x', null])
      expect((await ask('PATCH', { id, destination })).status).toBe(400);
    for (const muted of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'])
      expectFields(await ask('PATCH', { id, muted_until: muted }), ['muted_until', 'invalid']);
    expectFields(await ask('PATCH', { id, threshold: 101 }), ['threshold', 'invalid']);
    expectProblem(await ask('PATCH', { id: 4711, enabled: false }), 404, 'not_found');
    expect((await ask('GET')).body.rules).toEqual([rule]);
  });

  test('a rule cannot be changed into another one that is there', async () => {
    await add({ threshold: 10 });
    const { id } = await add({ threshold: 30 });
    expectFields(await ask('PATCH', { id, threshold: 10 }), ['id', 'invalid']);
  });

  test('a deleted rule is gone, the second time it is not there', async () => {
    const { id } = await add();
    expect((await ask('DELETE', undefined, `?id=${id}`)).body).toEqual({ ok: true });
    expectProblem(await ask('DELETE', undefined, `?id=${id}`), 404, 'not_found');
    expect((await ask('GET')).body.rules).toEqual([]);
    expect(await audited()).toEqual(['alert.deleted', 'alert.created']);
  });

  test('a test of a browser rule is an event that says so', async () => {
    const { id } = await add();
    const tried = await visit.service.ask('POST', `${path}/test`, { as: 'token-ann', body: { rule_id: id } });
    expect([tried.status, tried.body]).toEqual([200, { ok: true, result: { ok: true } }]);
    const { events } = (await ask('GET', undefined, '?events=1')).body;
    expect(events).toMatchObject([{ rule_id: id, value: 1, is_test: true, source: 'test', delivery_status: 'none' }]);
    expect((await ask('GET')).body.rules[0].last_fired_at).toBeNull();
    const [head, first] = (await ask('GET', undefined, '?table=events&format=csv')).text.split('\r\n');
    expect(head).toMatch(/^id,rule_id,.*,is_test,subject$/);
    expect(first).toMatch(/,true,$/);
  });

  test('a test through mail that is not configured says so in words', async () => {
    const { id } = await add({ channel: 'email', destination: 'a@codehost.example' });
    const tried = await visit.service.ask('POST', `${path}/test`, { as: 'token-ann', body: { rule_id: id } });
    expect(tried.status).toBe(502);
    expect(tried.body).toMatchObject({ ok: false, code: 'provider_error', result: { ok: false } });
    expect(tried.body.error).toBe(tried.body.result.error);
    expect(await audited()).toEqual(['alert.tested', 'alert.created']);
  });

  test('a scope narrows the list, and must be one', async () => {
    await add();
    await add({ scope: 'org:octo' });
    expect((await ask('GET', undefined, '?scope=org:OCTO')).body.rules).toHaveLength(1);
    expect((await ask('GET', undefined, '?scope=repo:octo/other')).body.rules).toEqual([]);
    expectFields(await ask('GET', undefined, '?scope=octo'), ['scope', 'invalid']);
  });
});

describe('without a database', () => {
  const visit = freshService();

  test('there are no rules to be had', async () => {
    expectProblem(await visit.service.ask('GET', path, { as: 'token-ann' }), 503, 'db_not_configured');
    expectProblem(await visit.service.ask('POST', path, { as: 'token-ann', body: web }), 503, 'db_not_configured');
    expectProblem(await visit.service.ask('GET', path), 401, 'unauthenticated');
  });
});
