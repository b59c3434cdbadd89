import { expect, test } from 'vitest';
import { isComplete } from '../../server/facts/fact-repository.ts';
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
