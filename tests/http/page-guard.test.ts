import type { ServerBuild } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as root from '../../app/root.tsx';
import { createPages } from '../../server/http/page.ts';
import { serve } from '../../server/http/serve.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let loaded = 0;

beforeAll(async () => {
  service = await startService({ MODE: 'organization', SERVICE_ALLOWED_ORGS: 'octo' });
});

afterAll(() => service?.close());

/** A page at a path of its own within the real root, through the framework's own handler. */
async function ask(path: string, cookie?: string) {
  const request = new Request(`http://localhost:3000${path}`, cookie ? { headers: { cookie } } : {});
  loaded = 0;
  const response = await serve(service.app.services, request, '127.0.0.1', createPages(build, 'production'));
  return { response, status: response.status, loaded };
}

const module = {
  default: () => null,
  loader: () => {
    loaded++;
    return null;
  },
};

const build = {
  entry: {
    module: {
      default: (_request: Request, status: number, headers: Headers) => {
        headers.set('Content-Type', 'text/html; charset=utf-8');
        return new Response('a page', { status, headers });
      },
    },
  },
  routes: Object.fromEntries([
    ['root', { id: 'root', path: '', module: root }],
    ...['team', 'docs', 'nobody-thought-of-it'].map((path) => [path, { id: path, parentId: 'root', path, module }]),
  ]),
  assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '' },
  publicPath: '/',
  assetsBuildDirectory: '',
  basename: '/',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial' },
} as unknown as ServerBuild;

test('a page that the table does not name does not open, not even for an administrator', async () => {
  const cookie = await service.signIn('token-ann');
  expect(await ask('/team', cookie)).toMatchObject({ status: 200, loaded: 1 });
  expect(await ask('/nobody-thought-of-it', cookie)).toMatchObject({ status: 403, loaded: 0 });
});

test('while access cannot be checked, no page of the service opens, and the session stays', async () => {
  const cookie = await service.signIn('token-ann');
  service.clock.advance(6 * 60_000);
  service.double.fault({ path: '/user/memberships/*', times: 99 }, { kind: 'status', status: 502 });
  const { response, ...answered } = await ask('/team', cookie);
  expect(answered).toEqual({ status: 503, loaded: 0 });
  expect(response.headers.get('retry-after')).toBe('30');
  expect(response.headers.getSetCookie()).toEqual([]);
  expect(response.headers.get('content-security-policy')).toContain("'nonce-");
  expect(await ask('/docs', cookie)).toMatchObject({ status: 200, loaded: 1 });
  service.double.reset();
  expect((await ask('/team', cookie)).status).toBe(200);
});

test('somebody who left the organization is sent to sign in, without their cookie', async () => {
  const cookie = await service.signIn('token-ann');
  const account = service.double.world.accounts.find(({ login }) => login === 'ann');
  if (account) account.memberOf = [];
  service.clock.advance(6 * 60_000);
  const { response, ...answered } = await ask('/team', cookie);
  expect(answered).toEqual({ status: 302, loaded: 0 });
  expect(response.headers.get('location')).toBe('/login?error=org_not_allowed');
  expect(response.headers.getSetCookie().join()).toMatch(/das_session=;.*Max-Age=0/);
  expect((await ask('/team', cookie)).response.headers.get('location')).toBe('/login?return_to=%2Fteam');
});
