import { type ComponentType, createElement } from 'react';
import { type ServerBuild, useLoaderData, useParams } from 'react-router';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import handleRequest from '../../app/entry.server.tsx';
import * as root from '../../app/root.tsx';
import * as home from '../../app/routes/home/page.tsx';
import * as brief from '../../app/routes/people/brief.tsx';
import * as contributor from '../../app/routes/people/contributor.tsx';
import * as deployments from '../../app/routes/repo/deployments.tsx';
import * as issues from '../../app/routes/repo/issues.tsx';
import * as overview from '../../app/routes/repo/overview.tsx';
import * as pullRequests from '../../app/routes/repo/pull-requests.tsx';
import * as team from '../../app/routes/repo/team.tsx';
import * as workflows from '../../app/routes/repo/workflows.tsx';
import * as repositories from '../../app/routes/repositories.tsx';
import { createPages } from '../../server/http/page.ts';
import { serve } from '../../server/http/serve.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
});

afterEach(() => service.double.reset());
afterAll(() => service?.close());

const modules = {
  '/': home,
  '/repositories': repositories,
  '/contributor/:login': contributor,
  '/contributor/:login/brief': brief,
  '/repos/:owner/:repo': overview,
  '/repos/:owner/:repo/issues': issues,
  '/repos/:owner/:repo/deployments': deployments,
  '/repos/:owner/:repo/pull-requests': pullRequests,
  '/repos/:owner/:repo/team': team,
  '/repos/:owner/:repo/workflows': workflows,
};
const minuteMs = 60_000;

/** The page with what the framework's compiler hands to it. */
function withProps({ loader, default: Drawn }: (typeof modules)[keyof typeof modules]) {
  const props = () => ({ loaderData: useLoaderData(), params: useParams() }) as never;
  return { loader, default: () => createElement(Drawn as ComponentType, props()) };
}

const routes = Object.fromEntries([
  ['root', { id: 'root', path: '', module: root }],
  ...Object.entries(modules).map(([path, module]) => [
    `page${path}`,
    { id: `page${path}`, parentId: 'root', path: path.slice(1), module: withProps(module) },
  ]),
]);

const build = {
  entry: { module: { default: handleRequest } },
  routes,
  assets: { entry: { imports: [], module: '' }, routes, url: '', version: '' },
  publicPath: '/',
  assetsBuildDirectory: '',
  basename: '/',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial' },
} as unknown as ServerBuild;

interface Opened {
  runsScripts: boolean;
  of?: Service;
  as?: string;
}

const web = '/repos/octo/web';

/** A page for a browser whose scripts run or another. */
async function open(page: string, { runsScripts, of = service, as = 'token-ann' }: Opened): Promise<Response> {
  const cookie = await of.signIn(as);
  const headers = { cookie: runsScripts ? `${cookie}; das_scripts=1` : cookie };
  const request = new Request(`http://localhost:3000${page}`, { headers });
  return serve(of.app.services, request, '127.0.0.1', createPages(build, 'production'));
}

/** The same read up to a text while the platform answers no question of GraphQL or about runs, and then to its end. */
async function openHeld(page: string, until: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  // The proof of what the caller may see comes later than the page waits.
  service.double.fault({ path: /octo\/web$|octo\/repos$/, times: 9 }, { kind: 'latency', ms: 400 });
  service.double.fault({ sends: /query Contributions/, times: 9 }, { kind: 'latency', ms: 400 });
  service.double.fault({ path: /graphql|actions\/runs$/, times: 1000 }, { kind: 'held', until: promise });
  const response = await open(page, { runsScripts: true });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let first = '';
  while (reader && !first.includes(until)) {
    const { done, value = '' } = await reader.read();
    if (done) throw new Error(`The page ended before: ${until}`);
    first += value;
  }
  resolve();
  let rest = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest += part.value;
  return { first, rest };
}

/** Windows of whole days are requested anew after midnight. */
function beginEarly() {
  const hours = new Date(service.clock.now()).getUTCHours();
  if (hours >= 21) service.clock.advance((25 - hours) * 60 * minuteMs);
}

/** But for whether the token is still taken, which is asked once where no other answer has said so yet. */
function requested(): string[] {
  const all = service.double.requests.map(({ path, operation }) => `${path} ${operation}`).sort();
  const isOfToken = (one: string) => one.startsWith('/user ');
  expect(all.filter(isOfToken).length).toBeLessThanOrEqual(1);
  return all.filter((one) => !isOfToken(one));
}

test.each([
  ['/contributor/ana?owner=octo', 'Not fresh.', 'Pull requests opened'],
  ['/contributor/ana/brief?owner=octo', 'Not fresh.', 'Conversation starters'],
  [web, 'Not fresh.', 'Lead time to merge'],
  [web, 'Not fresh.', 'Default branch</dt>'],
  [`${web}/workflows`, 'Not fresh.', 'Duration of workflows'],
  [`${web}/issues`, 'Not fresh.', 'Open issues'],
  [`${web}/deployments`, 'Not fresh.', 'Deployment frequency'],
  [`${web}/pull-requests`, 'Not fresh.', 'Cycle time by phase'],
  [`${web}/team`, 'Not fresh.', 'Reviewed before merge'],
  [`${web}/team?view=runs`, 'Not fresh.', 'Re-runs'],
  ['/?org=octo', 'Not fresh.', 'Checks fail on the default branch'],
  ['/repositories?org=octo', 'Not fresh.', 'octo/web</a>'],
])('facts of 40 minutes ago are shown with their age, and replaced by fresh ones: %s', async (page, age, figure) => {
  beginEarly();
  await (await open(page, { runsScripts: false })).text();
  service.clock.advance(40 * minuteMs);
  service.double.requests.length = 0;
  await (await open(page, { runsScripts: false })).text();
  const usual = requested();
  service.clock.advance(40 * minuteMs);
  service.double.requests.length = 0;
  const { first, rest } = await openHeld(page, figure);
  expect(first).toContain(age);
  expect(first).toMatch(/>40 minutes ago<\/time>/);
  expect(rest.lastIndexOf(figure)).toBeGreaterThan(rest.lastIndexOf(age));
  // Nothing is requested for what is shown meanwhile.
  expect(requested()).toEqual(usual);
  expect(await (await open(page, { runsScripts: true })).text()).not.toContain(age);
});

test('who may not see a repository is shown nothing of what is stored of it', async () => {
  const page = '/repos/octo/secret/issues';
  expect(await (await open(page, { runsScripts: true })).text()).toContain('Open issues');
  service.clock.advance(40 * minuteMs);
  await service.signIn('token-bo');
  service.double.fault({ path: /octo\/secret$/, times: 9 }, { kind: 'latency', ms: 400 });
  const text = await (await open(page, { runsScripts: true, as: 'token-bo' })).text();
  expect([text.includes('Loading Backlog'), text.includes('Not found'), text.includes('Open issues')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('who may no longer see a repository is shown nothing of what they read of it', async () => {
  const shown = [
    ['/repos/octo/secret', '/workflows/10061"'],
    ['/repos/octo/secret/workflows', '/workflows/10061"'],
    ['/repositories?org=octo', 'octo/secret</a>'],
  ] as const;
  const read = async (page: string) => (await open(page, { runsScripts: true })).text();
  for (const [page, what] of shown) expect(await read(page)).toContain(what);
  for (const account of service.double.world.accounts) account.memberOf = [];
  service.double.fault({ path: /octo\/secret|octo\/repos$/, times: 99 }, { kind: 'latency', ms: 400 });
  for (const [page, what] of shown) {
    service.clock.advance(40 * minuteMs);
    const text = await read(page);
    expect(text, page).not.toContain(what);
    // Pages that wait for nothing else are denied before they are sent.
    if (page === '/repos/octo/secret') expect(text).toContain('Loading Workflows');
  }
});

test('facts that were never read leave their places empty, and are requested once', async () => {
  service.double.fault({ path: /graphql/, times: 9 }, { kind: 'latency', ms: 400 });
  service.double.requests.length = 0;
  const text = await (await open('/repos/octo/api/issues', { runsScripts: true })).text();
  expect(text).toMatch(/Loading Backlog.*Open issues/s);
  expect(text).not.toContain('Not fresh.');
  // The proof, and open and closed ones.
  expect(requested()).toEqual(['/graphql Issues', '/graphql Issues', '/repos/octo/api repos/get']);
});

test('any other browser gets them where the platform takes longer than is waited for', async () => {
  const hasty = await startService({ DATABASE_URL: anyDatabase }, service, { readMs: 1000 });
  const read = async () => (await open(`${web}/issues`, { runsScripts: false, of: hasty })).text();
  // However busy the machine is: at some time all is read within the second.
  await expect.poll(async () => (await read()).includes('Open issues'), { timeout: 30_000 }).toBe(true);
  service.clock.advance(40 * minuteMs);
  service.double.fault({ path: /graphql/, times: 9 }, { kind: 'latency', ms: 3000 });
  const text = await read();
  await hasty.close();
  expect(text).toMatch(/Not fresh\..*>40 minutes ago<\/time>.*Open issues/s);
});
