import { expect, test } from 'vitest';
import { formatsOfLinks } from '../../migrations/Migration20261129075842_share_format.ts';
import type { Context } from '../../server/access/context.ts';
import { isComplete } from '../../server/facts/fact-repository.ts';
import { openLink } from '../../server/sharing/snapshot.ts';
import type { Store } from '../../server/store/orm.ts';
import { expectFields, expectProblem } from '../api/endpoints.ts';
import { storedService } from '../api/stored.ts';
import { everybody } from '../codehost-double/everybody.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { deliveryWorld } from '../metrics/delivery-worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';

const page = '/repos/octo/web/deployments';

eachDatabase((database) => {
  const visit = storedService(database, { RATE_LIMIT_SESSION_PER_MINUTE: '0', SESSION_TTL_HOURS: '720' });
  const store = () => visit.service.app.services.store as Store;
  const ask = (method: string, path: string, body?: object) =>
    visit.service.ask(method, path, { as: 'token-ann', ...(body && { body }) });
  const make = async (more: object = {}) => {
    // More are made here than an account may make in an hour.
    visit.service.clock.advance(61_000);
    return ask('POST', '/api/shares', { page, ...more });
  };
  const snapshotOf = async (id: number) => {
    const rows = await store().queue.executeSql('select snapshot, pass_hash from shares where id = $1', [id]);
    return rows.rows[0] as { snapshot: unknown; pass_hash: string | null };
  };

  /** Deployments of a random world in place of those of octo/web; answers who made them. */
  function fill(seed: number): string[] {
    visit.service.clock.advance(3_600_000);
    const world = deliveryWorld(seed);
    const people = world.pullRequests.flatMap(({ author }) => author ?? []);
    const moved = visit.service.clock.now() - world.now;
    const made = world.deployments.filter(isComplete.deployments).map((one, index) => ({
      ...one,
      creator: people[index % people.length] ?? null,
      production: one.environment === 'production',
      createdAt: one.createdAt + moved,
      statuses: (one.statuses ?? []).map((status) => ({ ...status, at: status.at + moved })),
    }));
    repositoryOf(visit.service.double.world, 'octo/web').deployments = made;
    return made.flatMap(({ creator }) => creator?.login ?? []);
  }

  test('a snapshot holds nobody of any world', { timeout: 300_000 }, async () => {
    await visit.sync('owner=octo&repo=web');
    const { accounts } = visit.service.double.world;
    const known = [
      ...everybody(visit.service.double.world).map(({ login }) => login),
      ...accounts.flatMap(({ login, name, email }) => [login, name, email]),
    ];
    let [creators, shown] = [0, 0];
    for (let seed = 1; seed <= rounds('SHARE_SEEDS', 20, 200); seed++) {
      const made = fill(seed);
      creators += made.length;
      const { status, body } = await make();
      expect(status, `${seed}`).toBe(201);
      const { snapshot } = await snapshotOf(body.share.id);
      const people = new Set([...known, ...made].filter((one) => one !== null && one !== 'octo'));
      const found = leaves(snapshot).filter((text) => people.has(text) || /avatar|@|^https?:/.test(text));
      expect(found, `${seed}`).toEqual([]);
      shown += (snapshot as Shown).answers.deployments.data.recent.length;
      await ask('DELETE', `/api/shares?id=${body.share.id}`);
    }
    expect(creators).toBeGreaterThan(20);
    expect(shown).toBeGreaterThan(20);
  });

  test('every one is listed, a page at a time', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await make()).body.share.id);
    const page = async (offset: number) =>
      (await ask('GET', `/api/shares?limit=2&offset=${offset}`)).body as { shares: { id: number }[]; total: number };
    const [first, second] = [await page(0), await page(2)];
    expect([...first.shares, ...second.shares].map(({ id }) => id).slice(0, 3)).toEqual(ids);
    expect([first.shares.length, first.total]).toEqual([2, second.total]);
    expect((await page(first.total)).shares).toEqual([]);
  });

  test('a link is shown once, and listed without its token', async () => {
    const { status, body, headers } = await make({ pass_phrase: 'correct horse' });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(body.url).toBe(`${visit.service.app.services.env.APP_URL}/s/${body.token}`);
    expect(body.token).toMatch(/^dass_[0-9A-Za-z]{49}$/);
    const days = (Date.parse(body.share.expires_at) - Date.parse(body.share.created_at)) / 86_400_000;
    expect([days, body.share.kind, body.share.page, body.share.opens]).toEqual([14, 'link', page, 0]);
    const { pass_hash } = await snapshotOf(body.share.id);
    expect(pass_hash).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    expect((await ask('GET', '/api/shares')).text).not.toMatch(/dass_|correct horse/);
    const { entries } = { entries: await store().audit.list(all) };
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'share.created', target: `${body.share.id} ${page}` }),
    );
    expect(JSON.stringify(entries)).not.toMatch(/dass_|correct horse/);
  });

  test('environments that are called after people are shared without their logins, and stay apart', async () => {
    const repository = repositoryOf(visit.service.double.world, 'octo/web');
    for (let seed = 1; repository.deployments.length < 2; seed++) fill(seed);
    const logins = ['ann', 'bo'];
    // New ones: what is stored of a deployment is not read again.
    repository.deployments = repository.deployments.slice(0, 2).map((one, index) => ({
      ...one,
      id: 90_000_000 + index,
      environment: `preview-${logins[index]}`,
      createdAt: visit.service.clock.now() + index,
      statuses: [],
    }));
    visit.service.clock.advance(3_600_000);
    const { body } = await make();
    const { snapshot } = await snapshotOf(body.share.id);
    const names = (snapshot as Shown).answers.deployments.data.by_environment.map(({ environment }) => environment);
    expect(names).toEqual(expect.arrayContaining(['preview-person-1', 'preview-person-2']));
    expect(names.filter((name) => logins.some((login) => name.includes(login)))).toEqual([]);
  });

  test('a page has one address, whichever way it was written', async () => {
    const { status, body } = await make({ page: '/repos/OCTO/Web/deployments/?environment=production&person=ann#x' });
    expect([status, body.share.page]).toEqual([201, `${page}?environment=production`]);
    const { entries } = { entries: await store().audit.list(all) };
    expect(entries[0]?.target).toBe(`${body.share.id} ${page}?environment=production`);
  });

  test('a workflow is shared in the range of its page, and in as many runs as were chosen', async () => {
    const workflow = '/repos/octo/web/workflows/7001';
    const shown = async (query: string) => {
      const { status, body } = await make({ page: `${workflow}${query}` });
      expect([status, body.share.page], query).toEqual([201, `${workflow}${query}`]);
      return (await snapshotOf(body.share.id)).snapshot as SharedWorkflow;
    };
    // What it reads of jobs is stored, and tells waits of runs from then on.
    await shown('?range=90&compare=off');
    const { answers, choices } = await shown('?range=90&compare=off');
    expect(choices).toEqual({ range: '90', compare: 'off' });
    const days = { owner: 'octo', repo: 'web', workflow_id: '7001', range: '90' };
    const durations = (await ask('GET', `/api/db/workflow-durations?${new URLSearchParams(days)}`)).body;
    expect(answers.durations?.data).toEqual(durations);
    const { totals, workflows, range } = answers.figures?.data ?? {};
    expect([range, totals, workflows?.map(({ workflow_id }) => workflow_id)]).toEqual(['90', null, [7001]]);
    const { body: figures } = await ask('GET', '/api/db/workflows?repo=octo%2Fweb&range=90&compare=off');
    const own = (figures.workflows as Row[]).find(({ workflow_id }) => workflow_id === 7001);
    expect(own?.runs).toBeGreaterThan(0);
    expect(workflows?.[0]).toEqual({
      ...own,
      cost_per_month: null,
      wasted_per_month: null,
      cost_sample: null,
      unknown_jobs: null,
    });
    expect(Object.keys((await shown('')).answers)).toContain('figures');
    const { answers: ofRuns } = await shown('?per_page=20');
    expect(Object.keys(ofRuns).sort()).toEqual(['health', 'jobStats', 'reliability', 'runs']);
    expectFields(await make({ page: `${workflow}?range=never` }), ['page', 'invalid']);
  });

  test('only what strangers wrote is searched for logins', async () => {
    const logins = ['previous', 'lead', 'web', 'production'];
    await store().queue.executeSql(
      `insert into users (codehost_id, login, login_key, avatar_url, first_seen_at, last_seen_at)
       select 900000 + ordinality, login, login, '', now(), now() from unnest($1::text[]) with ordinality as named (login)`,
      [logins],
    );
    const choicesOf = async (address: string) => {
      const { status, body } = await make({ page: address });
      expect(status, address).toBe(201);
      return ((await snapshotOf(body.share.id)).snapshot as { choices: object }).choices;
    };
    expect(await choicesOf('/reports?repo=octo%2Fweb&compare=previous')).toEqual({
      repo: 'octo/web',
      compare: 'previous',
    });
    expect(await choicesOf('/explain?metric=lead_time&owner=octo&repo=web')).toMatchObject({ metric: 'lead_time' });
    // A name that is a login is one, wherever strangers wrote it.
    expect(await choicesOf(`${page}?environment=production`)).toEqual({
      environment: expect.stringMatching(/^person-\d+$/),
    });
    await store().queue.executeSql('delete from users where codehost_id > 900000');
    expect(await choicesOf(`${page}?environment=production`)).toEqual({ environment: 'production' });
  });

  test('a snapshot of another format is not opened, and its list says why', async () => {
    const { body } = await make();
    const { id } = body.share;
    const open = () => {
      const { services } = visit.service.app;
      const opening = { token: body.token as string, phrase: null, isCounted: false };
      return openLink(opening, { services, store: store(), address: '203.0.113.7' } as unknown as Context);
    };
    const stateOf = async () =>
      ((await ask('GET', '/api/shares')).body.shares as { id: number; state: string }[]).find((one) => one.id === id)
        ?.state;
    expect([(await open()).snapshot?.format, await stateOf()]).toEqual([5, 'live']);
    // A list reads no snapshots.
    await store().queue.executeSql('update shares set format = 1 where id = $1', [id]);
    expect(await stateOf()).toBe('outdated');
    await store().queue.executeSql(formatsOfLinks);
    expect(await stateOf()).toBe('live');
    // As they were made before snapshots had a format.
    const asMade = "update shares set snapshot = snapshot - 'format' - 'pattern', format = null where id = $1";
    await store().queue.executeSql(asMade, [id]);
    await expect(open()).rejects.toMatchObject({ code: 'not_found' });
    expect(await stateOf()).toBe('outdated');
    const before = `update shares set snapshot = snapshot || '{"format": 1}', format = 1 where id = $1`;
    await store().queue.executeSql(before, [id]);
    await expect(open()).rejects.toMatchObject({ code: 'not_found' });
    expect(await stateOf()).toBe('outdated');
    expect((await ask('DELETE', `/api/shares?id=${id}`)).body.revoked).toBe(1);
    expect(await stateOf()).toBe('revoked');
  });

  test('facts that are stored later change nothing of it', async () => {
    const { body } = await make();
    const before = await snapshotOf(body.share.id);
    const path = new URL(body.url).pathname;
    fill(11);
    await ask('GET', '/api/codehost/deployments?owner=octo&repo=web');
    expect(await snapshotOf(body.share.id)).toEqual(before);
    expect(path).toMatch(/^\/s\/dass_/);
  });

  test('no page that can be shared holds anybody', async () => {
    const shared = [
      '/repos/octo/web',
      '/repos/octo/web/workflows/7001',
      '/repos/octo/web/issues',
      '/org/octo',
      '/org/octo/health',
      '/reports?org=octo',
      '/reports?repo=octo%2Fweb',
      ...['lead_time', 'unassigned_count', 'total_deployments'].map(
        (metric) => `/explain?metric=${metric}&owner=octo&repo=web`,
      ),
      '/explain?metric=success_rate&owner=octo&repo=web&workflow_id=7001',
    ];
    const { world } = visit.service.double;
    const people = new Set([
      ...everybody(world).map(({ login }) => login),
      ...world.accounts.flatMap(({ login, name, email }) => [login, name, email]),
    ]);
    people.delete('octo');
    for (const address of shared) {
      const { status, body } = await make({ page: address });
      expect([status, body.share?.page], address).toEqual([201, address]);
      const texts = leaves((await snapshotOf(body.share.id)).snapshot).flatMap((text) => text.split(/[^\w.@-]+/));
      expect(
        texts.filter((text) => people.has(text) || /@|avatars/.test(text)),
        address,
      ).toEqual([]);
    }
  });

  test('only some pages are shared, and only for some time', async () => {
    const others = [
      '/repos/octo/web/workflows/7001?tab=cost',
      '/repos/octo/web/team',
      '/explain?metric=bus_factor&owner=octo&repo=web',
      '/explain?metric=net_amount&org=octo',
      '/explain?metric=open_security_alerts&owner=octo&repo=web',
      '/reports',
    ];
    for (const other of others) expectFields(await make({ page: other }), ['page', 'invalid']);
    for (const other of ['/cost', '/security', '/alerts', '/team', '/settings', 'https://evil.example/', page.slice(1)])
      expectFields(await make({ page: other }), ['page', 'invalid']);
    expectFields(await make({ expires_in_days: 91 }), ['expires_in_days', 'invalid']);
    expectFields(await ask('POST', '/api/shares', {}), ['page', 'missing']);
    expectProblem(await make({ page: '/repos/octo/nothing/deployments' }), 404, 'not_found');
    await ask('PUT', '/api/settings/sharing', { sharing: 'off', public_badges: false });
    expectProblem(await make(), 403, 'sharing_disabled');
    await ask('PUT', '/api/settings/sharing', { sharing: 'members', public_badges: false });
  });

  test('what could not be read when it was made is said by the snapshot', async () => {
    fill(8);
    visit.service.double.fault({ path: /graphql|deployments/, times: 99 }, { kind: 'status', status: 502 });
    const answer = await ask('GET', '/api/codehost/deployments?owner=octo&repo=web');
    const { status, body } = await make();
    expect([answer.status, answer.headers.get('x-stale'), status]).toEqual([200, 'true', 201]);
    const { notes } = ((await snapshotOf(body.share.id)).snapshot as Shown).answers.deployments;
    expect(notes).toMatchObject({ stale: true, asOf: answer.headers.get('x-data-as-of') });
  });
});

interface Row {
  workflow_id: number;
  runs: number;
}

interface SharedWorkflow {
  choices: object;
  answers: {
    durations?: { data: object };
    figures?: { data: { range: string; totals: unknown; workflows: Row[] } };
  };
}

interface Shown {
  answers: { deployments: { data: { recent: object[]; by_environment: { environment: string }[] }; notes: object } };
}

const all = { limit: 50, before: null, categories: null, actor: null, action: null };

/** Every text of a value, those of keys included. */
function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...leaves(inner)]);
}
