import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMetricsServer } from '../../server/http/metrics-server.ts';
import { delivered, runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { lint, series } from '../openmetrics/lint.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';
import { listen } from './listening.ts';

const token = 'q7RmZ2xLw9TgYb4KsVn8JdHc3PfAeUi5';
const sent = { authorization: `Bearer ${token}` };
const openmetrics = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

async function start(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ METRICS_TOKEN: token, ...env });
  onTestFinished(() => service.close());
  return service;
}

const scrape = async (service: Service) => {
  service.clock.advance(1001);
  const { text, status } = await service.ask('GET', '/metrics', { headers: sent });
  expect(status).toBe(200);
  expect(lint(text)).toEqual([]);
  return series(text);
};

describe('who is answered', () => {
  test('nobody while no token is configured', async () => {
    const service = await startService({});
    onTestFinished(() => service.close());
    const answer = await service.ask('GET', '/metrics', { headers: sent });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });

  test('whoever sends the token, and nobody else: no cookie, no platform token, nothing in the address', async () => {
    const service = await start();
    expect((await service.ask('GET', '/metrics', { headers: sent })).status).toBe(200);
    const others = [
      {},
      { as: 'token-ann' },
      { headers: { authorization: 'Bearer token-ann' } },
      { headers: { authorization: `Bearer ${token}x` } },
      { headers: { authorization: `Basic ${token}` } },
      { headers: { authorization: `Bearer ${token}, Bearer ${token}` } },
    ];
    for (const options of others) {
      const answer = await service.ask('GET', '/metrics', options);
      expect([answer.status, answer.body.code]).toEqual([401, 'metrics_unauthorized']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(answer.text).not.toContain('das_');
    }
    expect((await service.ask('GET', `/metrics?token=${token}`)).status).toBe(401);
  });

  test('an address with 60 failures in a minute is told to wait, but for the token', async () => {
    const service = await start();
    const fail = (from: string) => service.ask('GET', '/metrics', { from, headers: { authorization: 'Bearer no' } });
    for (let count = 0; count < 60; count++) expect((await fail('10.1.1.1')).status).toBe(401);
    const late = await fail('10.1.1.1');
    expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([429, 'rate_limited', '60']);
    expect((await fail('10.1.1.2')).status).toBe(401);
    expect((await service.ask('GET', '/metrics', { from: '10.1.1.1', headers: sent })).status).toBe(200);
    service.clock.advance(60_001);
    expect((await fail('10.1.1.1')).status).toBe(401);
  });

  test('only GET and HEAD, at this one address', async () => {
    const service = await start();
    const answer = await service.ask('POST', '/metrics', { headers: sent });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await service.ask('POST', '/metrics')).status).toBe(401);
    expect(await service.ask('HEAD', '/metrics', { headers: sent })).toMatchObject({ status: 200, text: '' });
    for (const path of ['/metrics/', '/metrics/x', '/Metrics'])
      expect((await service.ask('GET', path, { headers: sent })).text).toBe('a page');
    expect((await service.ask('GET', '/api/metrics', { as: 'token-ann' })).status).toBe(404);
  });
});

describe('what is answered', () => {
  test('in the format that the scraper likes, compressed where it asks for that, never stored', async () => {
    const service = await start();
    const site = await listen(service);
    onTestFinished(() => site.close());
    const answer = await site.send('/metrics', { headers: { ...sent, accept: 'application/openmetrics-text' } });
    expect(Object.fromEntries(answer.headers)).toMatchObject(
      Object.fromEntries([
        ['content-type', openmetrics],
        ['vary', 'Accept, Accept-Encoding'],
        ['cache-control', 'no-store'],
        ['x-content-type-options', 'nosniff'],
      ]),
    );
    expect(answer.text.endsWith('\n# EOF\n')).toBe(true);
    expect(lint(answer.text)).toEqual([]);
    const query = httpRequest({
      port: site.port,
      path: '/metrics',
      headers: { ...sent, 'accept-encoding': 'gzip' },
    }).end();
    const [zipped] = await once(query, 'response');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(gunzipSync(await buffer(zipped)).toString()).toContain('\ndas_build_info{version="');
  });

  test('what requests did: counted by declared path, and never less than before', async () => {
    const service = await start({ DATABASE_URL: anyDatabase });
    const before = await scrape(service);
    await service.ask('GET', '/api/health');
    await service.ask('GET', '/api/codehost/orgs', { as: 'token-ann' });
    await service.ask('GET', '/api/codehost/orgs');
    await service.ask('GET', '/api/no/such', { as: 'token-ann' });
    await service.ask('BREW', '/api/health');
    const after = await scrape(service);
    const added = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0);
    const requests = (operation: string, method: string, status: string) =>
      added(`das_http_requests_total{operation="${operation}",method="${method}",status_class="${status}"}`);
    expect(requests('/api/health', 'GET', '2xx')).toBe(1);
    expect(requests('/api/codehost/orgs', 'GET', '2xx')).toBe(1);
    expect(requests('/api/codehost/orgs', 'GET', '4xx')).toBe(1);
    expect(requests('/metrics', 'GET', '2xx')).toBe(1);
    expect(requests('unknown', 'GET', '4xx')).toBe(1);
    expect(requests('unknown', 'other', '4xx')).toBe(1);
    expect(added('das_http_refusals_total{code="unauthenticated"}')).toBe(1);
    expect(added('das_codehost_requests_total{api="rest",outcome="success"}')).toBeGreaterThan(0);
    expect(added('das_http_request_duration_seconds_bucket{operation="/api/health",le="+Inf"}')).toBe(1);
    expect(after.get('das_database_up')).toBe(1);
    expect(after.get('das_database_connections{state="waiting"}')).toBe(0);
    for (const [key, value] of before)
      if (/_total|_bucket|_count|_sum/.test(key)) expect(after.get(key), key).toBeGreaterThanOrEqual(value);
  });

  test('the same bytes within a second; one scrape at a time', async () => {
    const service = await start({ DATABASE_URL: anyDatabase });
    const read = () => service.ask('GET', '/metrics', { headers: sent });
    const asked = vi.spyOn(
      service.app.services.store?.monitoring as object as { connections(): unknown },
      'connections',
    );
    const together = await Promise.all(Array.from({ length: 20 }, read));
    expect(new Set(together.map(({ text }) => text)).size).toBe(1);
    expect((await read()).text).toBe(together[0]?.text);
    expect(asked).toHaveBeenCalledTimes(1);
    service.clock.advance(1000);
    expect((await read()).text).not.toBe(together[0]?.text);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('without a database, what the process counts', async () => {
    const values = await scrape(await start());
    expect([...values.keys()].filter((key) => key.startsWith('das_database'))).toEqual([]);
    expect(values.get('das_process_resident_memory_bytes')).toBeGreaterThan(1e7);
  });

  test('while the database is away: 200, and that it is', async () => {
    const service = await start({ DATABASE_URL: anyDatabase });
    const { store } = service.app.services;
    if (!store) throw new Error('no database');
    vi.spyOn(store.monitoring, 'service').mockRejectedValue(new Error('Connection terminated unexpectedly'));
    const values = await scrape(service);
    expect(values.get('das_database_up')).toBe(0);
    expect([...values.keys()].some((key) => key.startsWith('das_http_requests_total'))).toBe(true);
    vi.restoreAllMocks();
    await expect.poll(async () => (await scrape(service)).get('das_database_up'), { timeout: 5000 }).toBe(1);
  });

  test('a database that does not answer is waited for once', async () => {
    const service = await start({ DATABASE_URL: anyDatabase });
    const { store } = service.app.services;
    if (!store) throw new Error('no database');
    const hanging = vi.spyOn(store.monitoring, 'connections').mockReturnValue(new Promise(() => undefined));
    expect((await scrape(service)).get('das_database_up')).toBe(0);
    const begun = performance.now();
    expect((await scrape(service)).get('das_database_up')).toBe(0);
    expect(performance.now() - begun).toBeLessThan(1000);
    expect(hanging).toHaveBeenCalledTimes(1);
  });
});

describe('what all processes see alike', () => {
  test('webhook deliveries by outcome, jobs that are missing, and empty queues', async () => {
    const service = await start({
      DATABASE_URL: anyDatabase,
      CODEHOST_WEBHOOK_SECRET: webhookSecret,
      SCHEDULER: 'internal',
    });
    const { store } = service.app.services;
    if (!store) throw new Error('no database');
    const run = service.double.putRun('octo/web', { id: 881_000, createdAt: service.clock.now() });
    const event = delivered(runEvent(repositoryOf(service.double.world, 'octo/web'), run));
    expect(await scrape(service).then((values) => values.has('das_webhook_ingest_lag_seconds'))).toBe(false);
    service.clock.advance(run.updatedAt + 7000 - service.clock.now());
    const post = ({ body, headers }: ReturnType<typeof delivered>) =>
      service.ask('POST', '/api/webhooks/codehost', { body, headers });
    expect([(await post(event)).status, (await post(event)).status]).toEqual([200, 200]);
    const star = delivered({ action: 'created' }, { event: 'star' });
    await post(star);
    const id = await store.jobRuns.start({ job: 'purge', slot: 'x', trigger: 'internal', now: service.clock.now() });
    await store.jobRuns.finish(id, { status: 'done', summary: {}, now: service.clock.now() });
    await store.sharedCounters.flush();
    const values = await scrape(service);
    const deliveries = (name: string, outcome: string) =>
      values.get(`das_webhook_deliveries_total{event="${name}",outcome="${outcome}"}`);
    expect(deliveries('workflow_run', 'stored')).toBe(1);
    expect(deliveries('workflow_run', 'duplicate')).toBe(1);
    expect(deliveries('other', 'skipped')).toBe(1);
    expect(values.get('das_webhook_ingest_lag_seconds')).toBe(7);
    expect(values.get('das_job_overdue{job="purge"}')).toBe(0);
    expect(values.get('das_queue_items{queue="deliver-alerts",state="waiting"}')).toBe(0);
    expect(values.get('das_queue_oldest_item_age_seconds{queue="deliver-alerts"}')).toBe(0);
    expect(values.get('das_ai_budget_remaining_ratio')).toBe(1);
    service.clock.advance(37 * 3_600_000);
    expect((await scrape(service)).get('das_job_overdue{job="purge"}')).toBe(1);
  });
});

test('the example of the documentation does what it says', async () => {
  const service = await start();
  const site = await listen(service);
  onTestFinished(() => site.close());
  const chapter = readFileSync('app/routes/docs/content/open/metrics.md', 'utf8');
  const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(chapter) ?? [];
  const run = (given: string) =>
    promisify(execFile)('bash', ['-c', script], {
      env: { PATH: process.env.PATH, APP_URL: `http://127.0.0.1:${site.port}`, METRICS_TOKEN: given },
    });
  expect(lint((await run(token)).stdout)).toEqual([]);
  await expect(run('another')).rejects.toMatchObject({ code: 22 });
});

test('a database that answers late is waited for again', async () => {
  const service = await start({ DATABASE_URL: anyDatabase });
  const { store } = service.app.services;
  if (!store) throw new Error('no database');
  const { service: read } = store.monitoring;
  const slow = vi.spyOn(store.monitoring, 'service');
  slow.mockRejectedValueOnce(new Error('Connection terminated unexpectedly'));
  slow.mockImplementation(async (...given) => {
    await sleep(300);
    return read(...given);
  });
  expect((await scrape(service)).get('das_database_up')).toBe(0);
  expect((await scrape(service)).get('das_database_up')).toBe(0);
  await sleep(600);
  expect((await scrape(service)).get('das_database_up')).toBe(1);
});

describe('the second listener', () => {
  test('serves metrics without a token, and nothing else', async () => {
    const service = await startService({ METRICS_LISTEN: '127.0.0.1:9464' });
    onTestFinished(() => service.close());
    const server = createMetricsServer(service.app.services).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await fetch(`${at}/metrics`, { headers: { accept: openmetrics } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, openmetrics]);
    expect(lint(await answer.text())).toEqual([]);
    for (const path of ['/', '/api/health', '/metrics/x', '/robots.txt'])
      expect((await fetch(`${at}${path}`)).status).toBe(404);
    expect((await fetch(`${at}/metrics`, { method: 'DELETE' })).status).toBe(405);
  });
});
