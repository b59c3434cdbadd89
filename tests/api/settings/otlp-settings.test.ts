import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { aDatabase } from '../../support/a-database.ts';
import { openReceiver, partialSuccess } from '../../support/otlp-receiver.ts';
import { anyDatabase, type Service, startService } from '../../support/service.ts';
import { expectFields, expectProblem } from '../endpoints.ts';

const path = '/api/settings/otlp';
const ann = { as: 'token-ann' };

aDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({
      MODE: 'organization',
      DATABASE_URL: await database.migrated(),
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      OTLP_ALLOWED_HOSTS: '127.0.0.1',
    });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    service.clock.advance(61_000);
    for (const { id } of await list()) await service.ask('DELETE', `${path}?id=${id}`, ann);
  });
  const list = async () => (await service.ask('GET', path, ann)).body.destinations;
  const put = (body: object) => service.ask('PUT', path, { ...ann, body });
  const good = { name: 'Collector', endpoint: 'https://8.8.8.8/otlp' };

  describe('destinations of traces', () => {
    test('are added with what holds unless something else is chosen, changed and deleted', async () => {
      const { status, body } = await put(good);
      expect(status).toBe(200);
      expect(body.destination).toEqual({
        id: expect.any(Number),
        ...good,
        header_names: [],
        protocol: 'http/protobuf',
        compression: 'gzip',
        enabled: true,
        filters: { owners: [], repos: [], workflows: [], only_default_branch: false, sample_ratio: 1 },
        include_actor: false,
        service_name: '{owner}/{repo}',
        fetch_jobs: false,
        parallel: 1,
        source: 'settings',
        state: 'active',
        accepted_spans: 0,
        rejected_spans: 0,
        parked: 0,
        taken_in_part: 0,
        dropped: 0,
        without_jobs: 0,
        carried_over_jobs: 0,
        due: 0,
        oldest_due_at: null,
        waiting: 0,
        next_try_at: null,
        last_success_at: null,
        last_error: null,
      });
      const { id } = body.destination;
      const filters = { repos: ['Octo/Web'], workflows: ['İstanbul'], sample_ratio: 0.5 };
      const changed = await put({ ...good, id, name: 'Tempo', enabled: false, filters });
      expect(changed.body.destination).toMatchObject({
        id,
        name: 'Tempo',
        state: 'off',
        filters: { repos: ['octo/web'], owners: [], workflows: ['İstanbul'], sample_ratio: 0.5 },
      });
      expect(await list()).toHaveLength(1);
      expect((await service.ask('DELETE', `${path}?id=${id}`, ann)).body).toEqual({ ok: true });
      expect(await list()).toEqual([]);
      expectProblem(await service.ask('DELETE', `${path}?id=${id}`, ann), 404, 'not_found');
      expectProblem(await put({ ...good, id }), 404, 'not_found');
    });

    test('are five at most', async () => {
      for (let count = 0; count < 5; count++) expect((await put(good)).status).toBe(200);
      expectProblem(await put(good), 400, 'invalid_request');
    });

    test.each([
      'http://8.8.8.8',
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://[::1]',
      'https://user:key@8.8.8.8',
      'https://8.8.8.8/?key=1',
      'nothing',
    ])('%s is no endpoint', async (endpoint) => {
      expectProblem(await put({ ...good, endpoint }), 400, 'unsafe_address');
      expect(await list()).toEqual([]);
    });

    test('are rejected by their fields', async () => {
      for (const [field, value] of [
        ['name', ''],
        ['headers', { host: 'a' }],
        ['headers', { 'x-key': 'a\nb' }],
        ['headers', { 'x key': 'a' }],
        ['parallel', 9],
        ['protocol', 'grpc'],
        ['filters', { repos: ['octo'] }],
        ['filters', { sample_ratio: 1.1 }],
        ['service_name', 'a\u0007'],
      ] as const)
        expectFields(await put({ ...good, [field]: value }), [field, 'invalid']);
    });

    test('never give headers back, and keep them for their origin alone', async () => {
      const headers = { authorization: 'Bearer very-secret-value' };
      const { body } = await put({ ...good, headers });
      const { id } = body.destination;
      const names = async (change: object) => (await put({ ...good, id, ...change })).body.destination.header_names;
      expect(await names({ name: 'Renamed', endpoint: 'https://8.8.8.8/other' })).toEqual(['authorization']);
      expect(await names({ headers: {} })).toEqual([]);
      expect(await names({ headers })).toEqual(['authorization']);
      expect(await names({ endpoint: 'https://8.8.8.8:8443/otlp' })).toEqual([]);
      const audit = await service.ask('GET', '/api/admin/audit?category=settings', ann);
      expect(audit.body.entries[0]).toMatchObject({ action: 'settings.otlp_saved', target: 'Collector 8.8.8.8:8443' });
      const everything = JSON.stringify([await service.ask('GET', path, ann), audit.body]);
      expect(everything).not.toContain('very-secret-value');
      expect(everything).toContain('Collector');
    });

    test('are tried with one made-up span', async () => {
      const receiver = await openReceiver();
      const { body } = await put({
        ...good,
        endpoint: receiver.url,
        headers: { 'x-key': 'k' },
        protocol: 'http/protobuf',
      });
      const { id } = body.destination;
      const send = () => service.ask('POST', `${path}/test`, { ...ann, body: { id } });
      const sent = await send();
      expect(sent.body).toEqual({ ok: true, trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) });
      const [span] = [...receiver.spans.values()];
      expect(span).toMatchObject({ traceId: sent.body.trace_id, resource: { 'service.name': 'example/example' } });
      expect(receiver.requests[0]?.headers['x-key']).toBe('k');
      receiver.answer = () => ({ status: 200, body: partialSuccess(1, 'no room') });
      expectProblem(await send(), 502, 'provider_error');
      receiver.answer = () => ({ status: 401, body: 'who are you' });
      const refused = await send();
      expectProblem(refused, 502, 'provider_error');
      expect(refused.body.error).toBe('401 who are you');
      // Three a minute.
      expectProblem(await send(), 429, 'rate_limited');
      // What a test comes to changes nothing for what is to be sent.
      expect(await list()).toMatchObject([{ state: 'active', accepted_spans: 0 }]);
    });

    test('send again nothing where all was taken', async () => {
      const { body } = await put(good);
      const answer = await service.ask('POST', `${path}/resend`, { ...ann, body: { id: body.destination.id } });
      expect(answer.body).toEqual({ parts: 0 });
    });

    test('are sent stored attempts by a backfill', async () => {
      const { body } = await put(good);
      const backfills = `${path}/backfills`;
      const wanted = { destination_id: body.destination.id, from: '2026-02-01', to: '2026-03-01' };
      const started = await service.ask('POST', backfills, { ...ann, body: { ...wanted, repo: 'Octo/Web' } });
      expect(started.status).toBe(202);
      expect(started.body.backfill).toEqual({
        id: expect.any(Number),
        destination_id: body.destination.id,
        from: '2026-01-31T17:00:00.000Z',
        to: '2026-03-01T17:00:00.000Z',
        repo: 'octo/web',
        again: false,
        state: 'running',
        done: 0,
        total: 0,
        rejected: 0,
        per_second: null,
        remaining_seconds: null,
        started_by: 'ann',
        started_at: expect.any(String),
        finished_at: null,
      });
      const { id } = started.body.backfill;
      const change = (action: string, of = id) => service.ask('PATCH', backfills, { ...ann, body: { id: of, action } });
      expectProblem(await service.ask('POST', backfills, { ...ann, body: wanted }), 409, 'backfill_running');
      expect((await change('pause')).body.backfill).toMatchObject({ state: 'paused' });
      const second = await service.ask('POST', backfills, { ...ann, body: wanted });
      expect(second.status).toBe(202);
      expectProblem(await change('resume'), 409, 'backfill_running');
      expect((await change('cancel', second.body.backfill.id)).body.backfill).toMatchObject({ state: 'cancelled' });
      expect((await change('resume')).body.backfill).toMatchObject({ state: 'running' });
      const answer = await service.ask('GET', path, ann);
      expect(answer.body.backfills.map((one: { state: string }) => one.state)).toEqual(['cancelled', 'running']);
      expect(answer.body.has_service_token).toBe(false);
      expect(answer.body.stored).toEqual({ attempts: 0, attempts_with_jobs: 0 });
      expectProblem(await change('pause', 4711), 404, 'not_found');
      for (const [field, value] of [
        ['to', '2026-01-01'],
        ['from', 'yesterday'],
        ['repo', 'octo'],
      ] as const)
        expectFields(await service.ask('POST', backfills, { ...ann, body: { ...wanted, [field]: value } }), [
          field,
          'invalid',
        ]);
      const unknown = { ...wanted, destination_id: 4711 };
      expectProblem(await service.ask('POST', backfills, { ...ann, body: unknown }), 404, 'not_found');
    });

    test('are for administrators', async () => {
      expectProblem(await service.ask('GET', path), 401, 'unauthenticated');
      for (const as of ['token-bo']) expect((await service.ask('GET', path, { as })).status).toBe(403);
    });
  });
});

test('says how metrics can be read', async () => {
  const statusOf = async (env: Record<string, string>) => {
    const service = await startService({ DATABASE_URL: anyDatabase, ...env });
    onTestFinished(() => service.close());
    return (await service.ask('GET', path, ann)).body.metrics;
  };
  const off = { address: null, listener: null, repositories: 'public', has_workflows: false };
  expect(await statusOf({})).toEqual(off);
  const METRICS_TOKEN = 'n2Vb84kQwe7RtYu1opAs3dFgHjKlZx9c';
  const on = {
    METRICS_TOKEN,
    METRICS_LISTEN: '127.0.0.1:9464',
    METRICS_REPOSITORIES: 'all',
    METRICS_WORKFLOWS: 'true',
  };
  expect(await statusOf(on)).toEqual({
    address: expect.stringMatching(/^http.*\/metrics$/),
    listener: '127.0.0.1:9464/metrics',
    repositories: 'all',
    has_workflows: true,
  });
});
