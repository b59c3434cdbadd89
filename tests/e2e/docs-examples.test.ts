import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { lint } from '../openmetrics/lint.ts';
import { type Site, startSite } from '../support/site.ts';

const METRICS_TOKEN = 'n2Vb84kQwe7RtYu1opAs3dFgHjKlZx9c';
let site: Site;
let token: string;
let cookie: string;

beforeAll(async () => {
  site = await startSite({ METRICS_TOKEN });
  cookie = await site.signIn('token-ann');
  const made = await fetch(`${site.url}/api/tokens`, {
    method: 'POST',
    headers: { cookie, origin: site.url, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Examples', features: tokenFeatures }),
  });
  ({ token } = (await made.json()) as { token: string });
});
afterAll(() => site.stop());

const readChapter = (name: string) => readFileSync(`app/routes/docs/content/open/${name}.md`, 'utf8');

/** The examples of a chapter in one language, about this site and what it has. */
const examplesIn = (name: string, language: string): string[] =>
  [...readChapter(name).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, example = '']) =>
    example.replaceAll('https://analytics.example.org', site.url).replaceAll('acme', 'octo').replaceAll('shop', 'web'),
  );

const newFolder = () => mkdtempSync(join(tmpdir(), 'examples-'));

const run = (program: string, given: string[], options: { cwd?: string; env: Record<string, string> }) =>
  promisify(execFile)(program, given, { ...options, env: { PATH: process.env.PATH, ...options.env } });

async function toolsBy(url: string, header: string): Promise<string[]> {
  const [, name = '', value = ''] = /^([^:]+):\s*(.+)$/.exec(header) ?? [];
  const client = new Client({ name: 'examples', version: '1.0.0' });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { [name]: value } } }),
  );
  const listed = await client.listTools();
  await client.close();
  return listed.tools.map(({ name }) => name);
}

describe('examples about agents', () => {
  const all = tools.map(({ name }) => name);

  test('the file of Visual Studio Code leads to the tools', async () => {
    const { servers, inputs } = JSON.parse(examplesIn('mcp', 'json')[0] ?? '');
    const [{ id }] = inputs;
    const { url, headers } = servers.delivery;
    expect(await toolsBy(url, `Authorization: ${headers.Authorization.replace(`\${input:${id}}`, token)}`)).toEqual(
      all,
    );
  });

  test('the file of Claude Desktop does, by its bridge', async () => {
    const { command, args, env } = JSON.parse(examplesIn('mcp', 'json')[1] ?? '').mcpServers.delivery;
    expect([command, ...args.slice(0, 2), args[3]]).toEqual(['npx', '-y', 'mcp-remote', '--header']);
    const header = args[4].replace(`\${DAS_AUTH}`, env.DAS_AUTH.replace('dast_…', token));
    expect(await toolsBy(args[2], header)).toEqual(all);
  });

  test('the program prints the numbers of a repository', async () => {
    const [program = ''] = examplesIn('mcp', 'ts');
    const env = { APP_URL: site.url, DAS_TOKEN: token };
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env });
    expect(stdout).toMatch(/^Lead time to merge, median \d+ milliseconds n=\d+$/m);
  });
});

describe('examples about metrics', () => {
  test('Prometheus is let in by the scrape configuration', async () => {
    const { scrape_configs } = load(examplesIn('metrics', 'yaml')[0] ?? '') as { scrape_configs: ScrapeConfig[] };
    const [{ authorization } = { authorization: null }] = scrape_configs;
    expect(authorization?.credentials_file).toMatch(/^\//);
    const answer = await fetch(`${site.url}/metrics`, {
      headers: { authorization: `${authorization?.type} ${METRICS_TOKEN}` },
    });
    expect(answer.status).toBe(200);
    expect(lint(await answer.text())).toEqual([]);
  });

  test('the files of rules and dashboards are there', async () => {
    const cwd = newFolder();
    await run('bash', ['--norc', '-c', examplesIn('metrics', 'sh')[1] ?? ''], { cwd, env: { APP_URL: site.url } });
    for (const file of [
      'prometheus-scrape.yml',
      'prometheus-rules.yml',
      'grafana-delivery.json',
      'grafana-service.json',
    ])
      expect(readFileSync(join(cwd, file), 'utf8')).toBe(readFileSync(join('public/docs/files', file), 'utf8'));
  });
});

interface ScrapeConfig {
  authorization: { type: string; credentials_file: string };
}

describe('examples about traces', () => {
  test('the pipeline of the Collector is made of what it configures', () => {
    const config = load(examplesIn('traces', 'yaml')[0] ?? '') as Record<
      'receivers' | 'processors' | 'exporters',
      object
    > & {
      service: { pipelines: { traces: Record<string, string[]> } };
    };
    for (const [kind, names] of Object.entries(config.service.pipelines.traces))
      expect([kind, Object.keys(config[kind as 'receivers'])]).toEqual([kind, names]);
    expect(config.receivers).toMatchObject({
      otlp: { protocols: { http: { endpoint: expect.stringMatching(/:4318$/) } } },
    });
  });

  test('the step of a workflow sets what the function prints', async () => {
    const cwd = newFolder();
    const definition = examplesIn('traces', 'sh').find((example) => example.includes('das_traceparent()'));
    writeFileSync(join(cwd, 'das-traceparent.sh'), definition ?? '');
    const [{ run: script } = { run: '' }] = load(examplesIn('traces', 'yaml')[1] ?? '') as { run: string }[];
    const env = {
      REPOSITORY: '1296269',
      RUN: '30433642',
      ATTEMPT: '1',
      JOB: '399444496',
      GITHUB_ENV: join(cwd, 'env'),
    };
    await run('bash', ['--norc', '-e', '-c', script], { cwd, env });
    expect(readFileSync(env.GITHUB_ENV, 'utf8')).toBe(
      'TRACEPARENT=00-7c1c6c0eecceaa7896b130410ca225a5-0a6d80a8926cea28-01\n',
    );
  });
});

describe('examples about portals', () => {
  const component = () => load(examplesIn('portals', 'yaml')[0] ?? '') as Component;

  test('the component names its repository, and leads to pages of it', async () => {
    const { annotations, links } = component().metadata;
    expect(annotations['delivery-analytics/repository']).toBe('octo/web');
    for (const { url } of links) {
      const { origin, pathname } = new URL(url);
      const { status, text } = await site.visit(pathname, { cookie });
      expect([origin, pathname, status, text.includes('octo/web')]).toEqual([site.url, pathname, 200, true]);
    }
  });

  test('a card reads the numbers through the proxy, which adds the token', async () => {
    const portal = await startPortal(load(examplesIn('portals', 'yaml')[1] ?? '') as PortalConfig);
    const [program = ''] = examplesIn('portals', 'js');
    const { readDelivery } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
    const apis = { discoveryApi: { getBaseUrl: async (name: string) => `${portal}/api/${name}` }, fetchApi: { fetch } };
    const direct = await fetch(`${site.url}/api/codehost/repo-dora?owner=octo&repo=web`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { generated_at: _, ...expected } = await direct.json();
    expect(await readDelivery(component(), apis)).toMatchObject(expected);
    const mistyped = { metadata: { annotations: { 'delivery-analytics/repository': 'octo/nothing' } } };
    await expect(readDelivery(mistyped, apis)).rejects.toThrow(/not found/i);
    expect((await fetch(`${portal}/api/proxy/delivery-analytics/tokens`, { method: 'POST' })).status).toBe(404);
  });

  test('the badge is that of its chapter, and the policy of the portal lets it be loaded', () => {
    const [, image = '', page = ''] = /^\[(!\[.*?\))\]\((.*)\)$/m.exec(examplesIn('portals', 'md')[0] ?? '') ?? [];
    expect(examplesIn('badges', 'md')[0]?.trim()).toBe(image);
    expect(page).toBe(component().metadata.links[0]?.url);
    const { backend } = load(examplesIn('portals', 'yaml')[2] ?? '') as { backend: { csp: Record<string, string[]> } };
    expect(backend.csp['img-src']).toContain(site.url);
  });
});

interface Component {
  metadata: { annotations: Record<string, string>; links: { url: string }[] };
}

type Endpoint = [path: string, { target: string; allowedMethods: string[]; headers: { Authorization: string } }];

interface PortalConfig {
  proxy: { endpoints: Record<Endpoint[0], Endpoint[1]> };
}

/** The server of a portal, as far as it does what its proxy is told. */
async function startPortal({ proxy: { endpoints } }: PortalConfig): Promise<string> {
  const [[path, { target, allowedMethods, headers }]] = Object.entries(endpoints) as [Endpoint];
  const authorization = headers.Authorization.replace(`\${DAS_TOKEN}`, token);
  const prefix = `/api/proxy${path}`;
  const server = createServer(async ({ url = '', method = '' }, response) => {
    if (!url.startsWith(prefix) || !allowedMethods.includes(method)) return response.writeHead(404).end();
    const answer = await fetch(`${target}${url.slice(prefix.length)}`, { method, headers: { authorization } });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
