import { execFileSync, type SpawnSyncReturns, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump, load } from 'js-yaml';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMetricsServer } from '../../server/http/metrics-server.ts';
import { refreshRepositoryMetrics } from '../../server/openmetrics/refresh.ts';
import type { Store } from '../../server/store/orm.ts';
import { storedService } from '../api/stored.ts';
import { listen } from '../http/listening.ts';
import { cheapestDatabase } from '../support/database.ts';
import { monitoringQueries } from '../support/monitoring-files.ts';
import { rounds } from '../support/rounds.ts';

const token = 'q7RmZ2xLw9TgYb4KsVn8JdHc3PfAeUi5';
const files = resolve('public/docs/files');
const seconds = rounds('PROMETHEUS_SECONDS', 12, 30);

/** Whether Prometheus and its tool are installed here. */
function isInstalled(): boolean {
  try {
    for (const program of ['prometheus', 'promtool']) execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What `promtool` finds; nothing where all is well. */
function findings(given: string[], input = ''): string {
  try {
    execFileSync('promtool', given, { input, stdio: ['pipe', 'pipe', 'pipe'] });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as SpawnSyncReturns<Buffer>;
    return `${stdout}${stderr}`;
  }
}

describe.skipIf(!isInstalled())('Prometheus as it is installed', () => {
  test('finds nothing wrong with the files that are served', () => {
    expect(findings(['check', 'rules', join(files, 'prometheus-rules.yml')])).toBe('');
    expect(findings(['check', 'config', '--syntax-only', join(files, 'prometheus-scrape.yml')])).toBe('');
  });

  cheapestDatabase((database) => {
    const env = { METRICS_TOKEN: token, METRICS_REPOSITORIES: 'all', METRICS_WORKFLOWS: 'true' };
    const visit = storedService(database, env);

    test(`scrapes both listeners for ${seconds} s, and answers every query of rules and dashboards`, async () => {
      const { service } = visit;
      const store = service.app.services.store as Store;
      await visit.sync('owner=octo&repo=web');
      for (const operation of ['repo-dora', 'deployments'])
        await service.ask('GET', `/api/codehost/${operation}?owner=octo&repo=web`, { as: 'token-ann' });
      await refreshRepositoryMetrics({ ...service.app.services, store }, () => true);
      const site = await listen(service);
      onTestFinished(() => site.close());
      const inner = createMetricsServer(service.app.services).listen(0, '127.0.0.1');
      onTestFinished(() => void inner.close());
      await once(inner, 'listening');

      const { text } = await service.ask('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
      expect(findings(['check', 'metrics'], text)).toBe('');

      const prometheus = await start(site.port, (inner.address() as AddressInfo).port);
      await expect.poll(async () => (await prometheus.ask('up')).length, { timeout: 30_000 }).toBe(2);
      for (let passed = 0; passed < seconds; passed++) {
        service.clock.advance(1000);
        await sleep(1000);
      }
      const up = await prometheus.ask('min_over_time(up[10m])');
      expect(up.map(({ value: [, value] }) => value)).toEqual(['1', '1']);
      const unanswered: string[] = [];
      for (const query of monitoringQueries)
        if ((await prometheus.ask(fillIn(query))).length === 0) unanswered.push(query);
      expect(unanswered.filter((query) => !withoutSamples.test(query))).toEqual([]);
      const { groups } = await prometheus.get<{ groups: { rules: { name: string; health: string }[] }[] }>('rules');
      const rules = groups.flatMap((group) => group.rules);
      expect(rules.length).toBeGreaterThan(10);
      expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
      expect(prometheus.log()).not.toMatch(/level=(warn|error)|out of order|duplicate/i);
    });
  });
});

/** What has none here: alerts that do not fire, and what did not happen in the world of the test. */
const withoutSamples = /(==|[<>]) [\d.*\s]+$|restore_time|ci_cost|http_refusals|webhook_/;

/** A query as a dashboard asks it with everything chosen. */
const fillIn = (query: string) =>
  query.replace(/\$__rate_interval/g, '1m').replace(/\$\{?(owner|repo)(:\w+)?\}?/g, '.*');

interface Sample {
  value: [number, string];
}

async function start(withToken: number, without: number) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const credentials = join(folder, 'token');
  writeFileSync(credentials, token);
  const { scrape_configs } = load(readFileSync(join(files, 'prometheus-scrape.yml'), 'utf8')) as {
    scrape_configs: { authorization: { type: string } }[];
  };
  const [served] = scrape_configs;
  // The timeout may not exceed the interval; a machine may be busy for seconds.
  const scrape = { scrape_interval: '5s', scrape_timeout: '5s', scheme: 'http' };
  const config = {
    global: { evaluation_interval: '1s' },
    rule_files: [join(files, 'prometheus-rules.yml')],
    scrape_configs: [
      {
        ...served,
        ...scrape,
        authorization: { ...served?.authorization, credentials_file: credentials },
        static_configs: [{ targets: [`127.0.0.1:${withToken}`] }],
      },
      { ...scrape, job_name: 'inner', static_configs: [{ targets: [`127.0.0.1:${without}`] }] },
    ],
  };
  writeFileSync(join(folder, 'prometheus.yml'), dump(config));
  const port = await freePort();
  const child = spawn('prometheus', [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(async () => (await fetch(`${url}/-/ready`).catch(() => null))?.status, { timeout: 30_000 })
    .toBe(200);
  const get = async <Data>(path: string): Promise<Data> => {
    const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as {
      status: string;
      error?: string;
      data: Data;
    };
    expect([answer.status, answer.error], path).toEqual(['success', undefined]);
    return answer.data;
  };
  const ask = async (query: string) =>
    (await get<{ result: Sample[] }>(`query?${new URLSearchParams({ query })}`)).result;
  return { get, ask, log: () => log };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
