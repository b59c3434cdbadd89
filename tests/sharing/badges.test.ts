import { expect, test } from 'vitest';
import { duration, quantity } from '../../server/domain/quantity.ts';
import { badgeKindNames } from '../../server/sharing/badge-kinds.ts';
import { expectFields, expectProblem } from '../api/endpoints.ts';
import { storedService } from '../api/stored.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aDatabase } from '../support/a-database.ts';

const dayMs = 86_400_000;
const web = { owner: 'octo', repo: 'web' };

aDatabase((database) => {
  const visit = storedService(database, {
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    SESSION_TTL_HOURS: '720',
  });
  const ask = (method: string, path: string, body?: object) =>
    visit.service.ask(method, path, { as: 'token-ann', ...(body && { body }) });
  const make = (badge: object, expires_in_days: number | null = 30) =>
    ask('POST', '/api/shares', { badge, ...(expires_in_days && { expires_in_days }) });
  /** The image at the address that was handed out, without any cookie. */
  const show = (url: string, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(url);
    return visit.service.ask('GET', `${pathname}${search}`, { headers });
  };
  const message = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)][1]?.[1];
  const setSharing = (value: object) => ask('PUT', '/api/settings/sharing', value);
  const auditOf = async () =>
    (await visit.service.app.services.store?.audit.list({
      limit: 50,
      before: null,
      categories: null,
      actor: null,
      action: null,
    })) ?? [];

  test('where several accounts use a service of one, each sees and ends its own alone', async () => {
    await visit.sync('owner=octo&repo=web');
    const { id } = (await make({ kind: 'duration', ...web })).body.share;
    const asBo = (method: string, path: string) => visit.service.ask(method, path, { as: 'token-bo' });
    expect((await asBo('GET', '/api/shares')).body).toMatchObject({ shares: [], total: 0 });
    expectProblem(await asBo('DELETE', `/api/shares?id=${id}`), 404, 'not_found');
    expect((await ask('GET', '/api/shares')).body).toMatchObject({ total: 1, shares: [{ id, state: 'live' }] });
  });

  test('each shows the value of the API, of the same window at the same moment', async () => {
    await visit.sync('owner=octo&repo=web');
    const [dora, runs] = await Promise.all([
      ask('GET', '/api/codehost/repo-dora?owner=octo&repo=web'),
      ask('GET', '/api/db/workflows?repo=octo/web&range=30'),
    ]);
    const { totals } = runs.body;
    const { lead_time, deployment_frequency, change_failure_rate, mttr } = dora.body;
    const sampled = (text: string | null, n: number | null) =>
      text === null ? 'no data' : n !== null && n < 5 ? `${text}, n < 5` : text;
    const p90 = (ms: number | null) => (ms === null ? null : `p90 ${duration(ms)}`);
    const median = (ms: number | null) => (ms === null ? null : `median ${duration(ms)}`);
    const percent = (value: number | null) => (value === null ? null : quantity(value, 'percent'));
    const expected: Record<string, string> = {
      'success-rate': sampled(
        totals.failure_rate === null ? null : percent(100 - totals.failure_rate),
        totals.failure_rate_sample,
      ),
      duration: sampled(p90(totals.p90_ms), totals.duration_sample),
      queue: sampled(p90(totals.queue_wait_p90_ms), totals.queue_wait_sample),
      'lead-time': sampled(median(lead_time.median_ms), lead_time.sample_size),
      'deploy-frequency': sampled(
        deployment_frequency.per_day === null ? null : quantity(deployment_frequency.per_day, 'per_day'),
        deployment_frequency.total,
      ),
      'change-failure-rate': sampled(percent(change_failure_rate.rate), change_failure_rate.total),
      'time-to-restore': sampled(median(mttr.median_ms), mttr.recoveries),
      'coverage-of-data': dora.body.coverage.expected === null ? 'incomplete' : 'complete',
    };
    expect(Object.keys(expected).sort()).toEqual(badgeKindNames.filter((kind) => kind !== 'workflow').sort());
    expect(Object.values(expected).filter((text) => text !== 'no data').length).toBeGreaterThan(3);
    const before = visit.service.double.requests.length;
    for (const [kind, text] of Object.entries(expected)) {
      const { status, body } = await make({ kind, ...web });
      expect(status, kind).toBe(201);
      expect(message((await show(body.url)).text), kind).toBe(text.replaceAll('<', '&#60;'));
    }
    const labels: Partial<Record<string, string>> = {
      'deploy-frequency': dora.body.basis.deployment_frequency === 'releases' ? 'releases' : 'merges',
      'change-failure-rate': 'reverts and hotfixes',
      'time-to-restore': 'time to merge a fix',
    };
    for (const [kind, label] of Object.entries(labels)) {
      const { text } = await show((await make({ kind, ...web })).body.url);
      expect(/<text[^>]*>([^<]*)<\/text>/.exec(text)?.[1], kind).toBe(label);
      expect(text).toContain(`<title>${label}, octo/web: `);
    }
    const shown = visit.service.double.requests.slice(before).filter(({ path }) => !/\/repos\/octo\/web$/.test(path));
    expect(shown).toEqual([]);
  });

  test('a value of a window that is stored in part says so, and has no colour', async () => {
    const { services } = visit.service.app;
    const known = await services.store?.repositories.find(repositoryOf(visit.service.double.world, 'octo/web').facts);
    const begins = async (days: number) =>
      services.store?.queue.executeSql(
        `update sync_cursors set backfilled_to = to_timestamp($2::float8 / 1000) where repo_id = $1 and kind = 'runs'`,
        [known?.id, visit.service.clock.now() - days * dayMs],
      );
    const urls = [
      (await make({ kind: 'success-rate', ...web })).body.url,
      (await make({ kind: 'duration', ...web })).body.url,
    ];
    const shown = async () => Promise.all(urls.map(async (url) => (await show(url)).text));
    await begins(31);
    visit.service.clock.advance(61_000);
    for (const text of await shown()) expect(text).not.toContain('incomplete');
    await begins(10);
    visit.service.clock.advance(61_000);
    for (const text of await shown()) {
      expect(message(text)).toMatch(/^(p90 )?\d[^,]*, incomplete/);
      expect(text).toContain('30 days, incomplete');
      expect(text).not.toContain('#0a62c4');
    }
    await begins(31);
    visit.service.clock.advance(61_000);
  });

  test('the latest result of a workflow is that of its default branch, or of the branch that is named', async () => {
    const { runs } = (await ask('GET', '/api/db/runs?owner=octo&repo=web&limit=500')).body;
    const conclusive = runs.find(
      (run: { workflow_id: number; head_branch: string; event: string; conclusion: string }) =>
        run.workflow_id === 7001 &&
        run.head_branch === 'main' &&
        run.event !== 'pull_request' &&
        ['success', 'failure', 'timed_out', 'startup_failure'].includes(run.conclusion),
    );
    const { body } = await make({ kind: 'workflow', ...web, workflow_id: 7001 });
    const word = conclusive.conclusion === 'success' ? 'passed' : 'failed';
    expect(message((await show(body.url)).text)).toMatch(new RegExp(`^${word} .+ ago`));
    const other = await make({ kind: 'workflow', ...web, workflow_id: 7001, branch: 'nobody' });
    expect(message((await show(other.body.url)).text)).toBe('no data');
  });

  test('the latest result is found behind any number of runs of other branches, of pull requests and that were cancelled', async () => {
    const { body } = await make({ kind: 'workflow', ...web, workflow_id: 7001, branch: 'quiet' });
    const { store } = visit.service.app.services;
    await store?.queue.executeSql(
      `insert into workflow_runs (id, repo_id, run_attempt, workflow_id, run_number, event, status, conclusion,
         head_branch, head_sha, created_at, updated_at, completed_at, synced_at)
       select 5000000 + n, repos.id, 1, 7001, 100000 + n,
         case when n > 0 and n % 2 = 0 then 'pull_request' else 'push' end, 'completed',
         case when n % 3 = 0 and n > 0 then 'cancelled' else 'success' end,
         case when n = 0 or n % 2 = 0 or n % 3 = 0 then 'quiet' else 'busy' end, 'a', at, at, at, at
       from generate_series(0, 1200) n, lateral (select to_timestamp($1::float8 / 1000) + n * interval '1 second' as at)
         made, repos where repos.owner = 'octo' and repos.name = 'web'`,
      [visit.service.clock.now() - 3_600_000],
    );
    expect(message((await show(body.url)).text)).toMatch(/^passed .+ ago/);
    await store?.queue.executeSql('delete from workflow_runs where id >= 5000000 and run_number >= 100000');
  });

  test('an image may be shown by other sites and kept for five minutes, and runs nothing', async () => {
    const { body } = await make({ kind: 'lead-time', ...web });
    const url = `${body.url}&style=square&${new URLSearchParams({ label: 'Lead & <time>' })}`;
    const { status, headers, text } = await show(url);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.has('set-cookie')).toBe(false);
    expect(text).toContain('>Lead &#38; &#60;time&#62;</text>');
    expect(text).toContain('rx="0"');
    const tag = headers.get('etag') ?? '';
    expect((await show(url, { 'if-none-match': tag })).status).toBe(304);
  });

  test('a value is computed once a minute; an old one says of when it is, and a later one follows', async () => {
    const { body } = await make({ kind: 'success-rate', ...web });
    const fresh = (await show(body.url)).text;
    visit.service.clock.advance(27 * 3_600_000);
    const old = (await show(body.url)).text;
    expect(message(old)).toMatch(/, as of \d+ [A-Z][a-z]{2}$/);
    expect(old).not.toContain('#0a62c4');
    await visit.sync('owner=octo&repo=web');
    visit.service.clock.advance(61_000);
    expect(message((await show(body.url)).text)).not.toContain('as of');
    expect(fresh).toContain('30 days');
  });

  test('a token opens its own badge alone, until it ends', async () => {
    const { body } = await make({ kind: 'lead-time', ...web }, 7);
    const gone = (await show(`${body.url.replace('lead-time', 'duration')}`)).text;
    const others = [
      body.url.replace('lead-time', 'queue'),
      body.url.replace('repo=web', 'repo=api'),
      body.url.replace(/t=dasb_./, 't=dasb_!'),
      body.url.replace(/&t=.*/, `&t=dasb_00000000000000000000000000000000000000000000D6woP`),
      body.url.replace(/&t=.*/, ''),
    ];
    for (const url of others) {
      const { status, text, headers } = await show(url);
      expect({ status, text }, url).toEqual({ status: 404, text: gone });
      expect(headers.get('cache-control')).toBe('private, no-store');
      expect(headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    }
    visit.service.clock.advance(7 * dayMs);
    const expired = await show(body.url);
    expect([expired.status, message(expired.text)]).toEqual([410, 'expired']);
    const listed = (await ask('GET', '/api/shares')).body.shares;
    expect(listed.find((one: { id: number }) => one.id === body.share.id).state).toBe('expired');
    await visit.sync('owner=octo&repo=web');
  });

  test('one that is revoked is not there any more, and the audit log says who did what', async () => {
    const { body } = await make({ kind: 'lead-time', ...web });
    expect((await show(body.url)).status).toBe(200);
    expect((await ask('DELETE', `/api/shares?id=${body.share.id}`)).body).toEqual({ ok: true, revoked: 1 });
    expect((await show(body.url)).status).toBe(404);
    expect((await ask('DELETE', `/api/shares?id=${body.share.id}`)).body).toEqual({ ok: true, revoked: 0 });
    expectProblem(await ask('DELETE', '/api/shares?id=4711'), 404, 'not_found');
    const entries = await auditOf();
    for (const action of ['badge.created', 'badge.revoked'])
      expect(entries).toContainEqual(
        expect.objectContaining({ action, category: 'access', target: `${body.share.id} lead-time octo/web` }),
      );
    expect(JSON.stringify(entries)).not.toContain('dasb_');
    expect(JSON.stringify((await ask('GET', '/api/shares')).body)).not.toContain('dasb_');
  });

  test('what is asked wrongly is an image that says so', async () => {
    const wrong = [
      '/api/badges/nothing.svg?owner=octo&repo=web',
      '/api/badges/lead-time.svg?owner=octo&repo=web&colour=red',
      '/api/badges/lead-time.svg?owner=octo',
      `/api/badges/lead-time.svg?owner=octo&repo=web&label=${'x'.repeat(41)}`,
      '/api/badges/lead-time.svg?owner=octo&repo=web&workflow_id=7001',
      '/api/badges/workflow.svg?owner=octo&repo=web',
      '/api/badges/duration.svg?owner=octo&repo=web&branch=main',
    ];
    for (const path of wrong) {
      const { status, text, headers } = await visit.service.ask('GET', path);
      expect([status, message(text), headers.get('content-type')], path).toEqual([
        400,
        'invalid',
        'image/svg+xml; charset=utf-8',
      ]);
    }
  });

  test('without a token public repositories are shown where that is allowed, and others look as if unknown', async () => {
    const { world } = visit.service.double;
    const { facts } = repositoryOf(world, 'octo/web');
    const path = '/api/badges/lead-time.svg?owner=octo&repo=web';
    const bare = () => visit.service.ask('GET', path);
    expect((await bare()).status).toBe(404);
    await setSharing({ sharing: 'off', public_badges: true });
    const unknown = await visit.service.ask('GET', '/api/badges/lead-time.svg?owner=octo&repo=nothing');
    const isPrivate = facts.private;
    Object.assign(facts, { private: true, visibility: 'private' });
    await visit.sync('owner=octo&repo=web');
    const hidden = await bare();
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
    Object.assign(facts, { private: false, visibility: 'public' });
    visit.service.clock.advance(3_600_000);
    await visit.sync('owner=octo&repo=web');
    expect((await bare()).status).toBe(200);
    visit.service.clock.advance(dayMs + 60_000);
    expect((await bare()).status).toBe(404);
    Object.assign(facts, { private: isPrivate, visibility: isPrivate ? 'private' : 'public' });
    await visit.sync('owner=octo&repo=web');
    await setSharing({ sharing: 'members', public_badges: false });
  });

  test('while sharing is off nothing is made, and what was made is not answered', async () => {
    const { body } = await make({ kind: 'lead-time', ...web });
    await setSharing({ sharing: 'off', public_badges: false });
    expect((await show(body.url)).status).toBe(404);
    expectProblem(await make({ kind: 'lead-time', ...web }), 403, 'sharing_disabled');
    expect((await ask('GET', '/api/shares')).body.may_share).toBe(false);
    await setSharing({ sharing: 'members', public_badges: false });
    expect((await show(body.url)).status).toBe(200);
    expect(await auditOf()).toContainEqual(expect.objectContaining({ action: 'settings.sharing_saved' }));
  });

  test('only what is stored and visible to its maker gets one, and only of a public repository without an end', async () => {
    const { facts } = repositoryOf(visit.service.double.world, 'octo/web');
    const isPrivate = facts.private;
    Object.assign(facts, { private: true, visibility: 'private' });
    visit.service.clock.advance(3_600_000);
    expectFields(await make({ kind: 'lead-time', ...web }, null), ['expires_in_days', 'invalid']);
    Object.assign(facts, { private: false, visibility: 'public' });
    visit.service.clock.advance(3_600_000);
    const endless = await make({ kind: 'lead-time', ...web }, null);
    expect(endless.body.share).toMatchObject({ expires_at: null, state: 'live', kind: 'badge', owner: 'ann' });
    Object.assign(facts, { private: isPrivate, visibility: isPrivate ? 'private' : 'public' });
    expectProblem(await make({ kind: 'lead-time', owner: 'octo', repo: 'nothing' }), 404, 'not_found');
    expectFields(await make({ kind: 'lead-time', ...web, workflow_id: 1 }), ['badge', 'invalid']);
    expect(badgeKindNames).toHaveLength(9);
  });

  test('a repository that one token is not given keeps its badges for a week, but for those that need it to be public', async () => {
    const { store } = visit.service.app.services;
    const { facts } = repositoryOf(visit.service.double.world, 'octo/web');
    const { private: isPrivate, visibility } = facts;
    Object.assign(facts, { private: false, visibility: 'public' });
    visit.service.clock.advance(3_600_000);
    await visit.sync('owner=octo&repo=web');
    await setSharing({ sharing: 'members', public_badges: true });
    const [ending, endless] = [
      (await make({ kind: 'queue', ...web }, 30)).body.url,
      (await make({ kind: 'queue', ...web }, null)).body.url,
    ];
    const bare = '/api/badges/queue.svg?owner=octo&repo=web';
    const statuses = async () =>
      Promise.all([show(ending), show(endless), visit.service.ask('GET', bare)].map(async (one) => (await one).status));
    const known = await store?.repositories.find(facts);
    if (!store || !known) throw new Error('The repository is stored.');
    const lose = (code: 'not_found' | 'legally_blocked') =>
      store.repositories.unreachable(known.id, code, visit.service.clock.now());
    expect(await statuses()).toEqual([200, 200, 200]);
    await lose('not_found');
    expect(await statuses()).toEqual([200, 404, 404]);
    visit.service.clock.advance(6 * dayMs);
    await lose('not_found');
    expect(await statuses()).toEqual([200, 404, 404]);
    visit.service.clock.advance(dayMs);
    expect(await statuses()).toEqual([404, 404, 404]);
    // Somebody else's token is given it.
    await visit.sync('owner=octo&repo=web');
    expect(await statuses()).toEqual([200, 200, 200]);
    await lose('legally_blocked');
    expect(await statuses()).toEqual([404, 404, 404]);
    await store.repositories.reachable(known.id);
    Object.assign(facts, { private: isPrivate, visibility });
    await visit.sync('owner=octo&repo=web');
    await setSharing({ sharing: 'members', public_badges: false });
  });

  test('an address is limited, and gets an image that says so', async () => {
    const from = '198.51.100.7';
    const path = '/api/badges/lead-time.svg?owner=octo&repo=web';
    for (let sent = 0; sent < 600; sent++) await visit.service.ask('GET', path, { from });
    const last = await visit.service.ask('GET', path, { from });
    expect([last.status, message(last.text)]).toEqual([429, 'unavailable']);
    expect((await visit.service.ask('GET', path, { from: '198.51.100.8' })).status).toBe(404);
  });
});
