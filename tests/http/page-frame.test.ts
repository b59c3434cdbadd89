import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReactNode } from 'react';
import { data, type RouterContextProvider, type ServerBuild, useLoaderData } from 'react-router';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Deferred, WhenReady } from '../../app/components/skeleton.tsx';
import handleRequest from '../../app/entry.server.tsx';
import * as root from '../../app/root.tsx';
import * as setUp from '../../app/routes/setup.tsx';
import type { Context } from '../../server/access/context.ts';
import { ownerFile } from '../../server/access/owner-file.ts';
import { anyone } from '../../server/access/rules.ts';
import { createSessions } from '../../server/access/session.ts';
import { loadPanels, panel } from '../../server/http/adapters.ts';
import { deferAnswers } from '../../server/http/deferred-panels.ts';
import { createPages } from '../../server/http/page.ts';
import { requestContext } from '../../server/http/router-context.ts';
import { serve } from '../../server/http/serve.ts';
import { Problem, type ProblemCode, problemStatus } from '../../server/platform/problem.ts';
import { getOrganizations, getRepositorySummary } from '../../server/reports/repositories/operations.ts';
import { logLines } from '../support/log-lines.ts';
import { anyDatabase, type Service, startService } from '../support/service.ts';

let service: Service;
let cookie: string;

beforeAll(async () => {
  service = await startService({ DATABASE_URL: anyDatabase });
  cookie = await service.signIn('token-ann');
});

afterAll(() => service?.close());

const origin = 'http://localhost:3000';

interface PageModule {
  loader?: (requested: { context: RouterContextProvider }) => unknown;
  action?: (requested: { context: RouterContextProvider }) => unknown;
  default?: () => ReactNode;
}

/** One page of ours within the real root, through the framework's own handler. */
const ask = (page: PageModule, init: RequestInit = {}, path = '/docs', entry: unknown = wordsOnly) => {
  const request = new Request(`${origin}${path}`, init);
  return serve(service.app.services, request, '127.0.0.1', createPages(build(page, entry), 'production'));
};

const wordsOnly = (_request: Request, status: number, headers: Headers) => {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response('the words of the page', { status, headers });
};

const build = (page: PageModule, entry: unknown) => {
  const routes = {
    root: { id: 'root', path: '', module: root },
    page: { id: 'page', parentId: 'root', path: 'docs', module: { default: () => null, ...page } },
    demo: { id: 'demo', parentId: 'root', path: 'demo', module: { default: () => null, ...page } },
  };
  return {
    entry: { module: { default: entry } },
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
};

const signedIn = () => ({ headers: { cookie } });
const contextOf = (requested: { context: RouterContextProvider }): Context => requested.context.get(requestContext);

describe('the status of a page', () => {
  const expectRejected = (code: ProblemCode, retry?: number) => ({
    ...getOrganizations,
    access: anyone,
    run: async (): Promise<never> => {
      throw new Problem(code, 'No.', { details: retry ? { retry_after_s: retry } : {} });
    },
  });
  const answered = { ...getOrganizations, access: anyone, run: async () => [] };
  const page = (wanted: Parameters<typeof loadPanels>[1]) =>
    ask({ loader: (requested) => loadPanels({ context: contextOf(requested), params: {} }, wanted) }, signedIn());

  test.each<ProblemCode>([
    'not_found',
    'forbidden',
    'rate_limited',
    'upstream_unavailable',
    'db_unavailable',
    'invalid_request',
  ])('of which every panel is rejected is that of %s, with its words', async (code) => {
    const response = await page({ first: expectRejected(code), second: expectRejected('internal') });
    expect([response.status, await response.text()]).toEqual([problemStatus[code], 'the words of the page']);
    expect(response.headers.get('content-security-policy')).toContain("'nonce-");
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('says when to come again', async () => {
    expect((await page({ only: expectRejected('upstream_rate_limited', 90) })).headers.get('retry-after')).toBe('90');
    expect((await page({ only: expectRejected('not_found') })).headers.get('retry-after')).toBeNull();
  });

  test('of which one panel is answered is 200, whichever it is', async () => {
    expect((await page({ first: expectRejected('not_found'), second: answered })).status).toBe(200);
    expect((await page({ first: answered, second: expectRejected('not_found') })).status).toBe(200);
  });

  test('counts panels that were requested one by one', async () => {
    const loader: PageModule['loader'] = async (requested) => {
      const context = contextOf(requested);
      await panel(expectRejected('not_found'), { context, params: {} });
      return panel(answered, { context, params: {} });
    };
    expect((await ask({ loader }, signedIn())).status).toBe(200);
  });

  test('that says its own status keeps it, and one without panels is 200', async () => {
    const loader: PageModule['loader'] = async (requested) =>
      data(await loadPanels({ context: contextOf(requested), params: {} }, { only: expectRejected('not_found') }), {
        status: 418,
      });
    expect((await ask({ loader }, signedIn())).status).toBe(418);
    expect((await ask({ loader: () => null })).status).toBe(200);
  });

  test('of the platform is the one it gave, and the next request begins anew', async () => {
    const about = (repo: string) =>
      ask(
        {
          loader: (requested) =>
            loadPanels(
              { context: contextOf(requested), params: { owner: 'octo', repo } },
              { summary: getRepositorySummary },
            ),
        },
        signedIn(),
      );
    expect((await about('nope')).status).toBe(404);
    expect((await about('web')).status).toBe(200);
  });
});

describe('a form', () => {
  let taken = 0;
  const page: PageModule = {
    action: () => {
      taken++;
      return null;
    },
    loader: () => null,
  };
  const send = (headers: Record<string, string>) =>
    ask(page, { method: 'POST', body: new URLSearchParams({ intent: 'x' }), headers });

  test.each([
    ['of another site', { origin: 'https://elsewhere.example' }],
    ['of an origin that is kept back', { origin: 'null' }],
    ['of another site, by what the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['of a sister site', { 'sec-fetch-site': 'same-site' }],
  ] as [string, Record<string, string>][])('%s is refused in our words, and does nothing', async (_, headers) => {
    taken = 0;
    const response = await send(headers);
    expect([response.status, taken]).toEqual([403, 0]);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  test.each(['https://elsewhere.example', 'not an address'])(
    'with a bearer token is taken from origin %s',
    async (foreign) => {
      taken = 0;
      const response = await send({ origin: foreign, authorization: 'Bearer token-ann' });
      expect([response.status, taken]).toEqual([200, 1]);
    },
  );

  test('of our own is taken', async () => {
    taken = 0;
    expect([(await send({ origin })).status, taken]).toEqual([200, 1]);
  });
});

describe('a cookie of an earlier secret', () => {
  const page: PageModule = { loader: () => null };
  const rotated = (secrets: string[]) => {
    const { env, store } = service.app.services;
    const options = {
      mode: env.MODE,
      ttlMs: env.SESSION_TTL_HOURS * 3_600_000,
      secure: false,
      clock: service.clock,
      store,
    };
    return createSessions({ ...options, secrets });
  };
  const newer = 'Zr7Qx1Lm9Vb3Np5Tk8Wd2Hs6Jf4Gy0Ca';

  /** What is answered while the newer secret seals and the earlier one still opens. */
  async function whileRotated<T>(work: () => Promise<T>): Promise<T> {
    const before = service.app.services.sessions;
    service.app.services.sessions = rotated([newer, service.app.services.env.SESSION_SECRET ?? '']);
    try {
      return await work();
    } finally {
      service.app.services.sessions = before;
    }
  }

  test('is sealed again by a page, once', () =>
    whileRotated(async () => {
      const [again = ''] = (await ask(page, signedIn())).headers.getSetCookie();
      expect(again).toMatch(/^das_session=.+; .*HttpOnly/);
      const resealed = again.split(';')[0] ?? '';
      expect(resealed).not.toBe(cookie);
      const next = await ask(page, { headers: { cookie: resealed } });
      expect([next.status, next.headers.get('set-cookie')]).toEqual([200, null]);
      const opened = await rotated([newer]).open(new Headers({ cookie: resealed }));
      expect(opened?.session.user.login).toBe('ann');
    }));

  test('is left alone where a cookie is set, where the session ended, and in the demo', () =>
    whileRotated(async () => {
      const setting: PageModule = {
        loader: () => null,
        action: async (requested) => {
          await contextOf(requested).actor();
          return new Response(null, { status: 303, headers: { Location: '/', 'Set-Cookie': 'das_session=new' } });
        },
      };
      const headers = { cookie, origin };
      const form = { method: 'POST', headers, body: new URLSearchParams() };
      expect((await ask(setting, form)).headers.getSetCookie()).toEqual(['das_session=new']);
      expect((await ask(page, signedIn(), '/demo')).headers.get('set-cookie')).toBeNull();
      const ending: PageModule = {
        loader: async (requested) => {
          const { session } = await contextOf(requested).actor();
          if (session) await service.app.services.sessions.end(session, 'signed_out');
          return null;
        },
      };
      expect((await ask(ending, signedIn())).headers.get('set-cookie')).toBeNull();
    }));

  test('of the newest secret stays', async () => {
    expect((await ask(page, signedIn())).headers.get('set-cookie')).toBeNull();
  });
});

test('a part that is late follows its page, wherever the loader has put it', async () => {
  const page: PageModule = {
    loader: async (requested) => {
      const late = sleep(300, 'the late words');
      return { inner: await deferAnswers({ context: contextOf(requested) }, late, () => 'no words') };
    },
    default: () => {
      const { panels } = useLoaderData<{ inner: { panels: Deferred<string> } }>().inner;
      return WhenReady({ data: panels, fallback: 'Loading words', children: (words) => words });
    },
  };
  const lines = await logLines(service.app.services, async () => {
    const ofScripts = await ask(page, { headers: { cookie: `${cookie}; das_scripts=1` } }, '/docs', handleRequest);
    expect(await ofScripts.text()).toMatch(/Loading words.*the late words/s);
  });
  expect(lines).toEqual([expect.objectContaining({ operation: 'GET /docs', status: 200 })]);
  // Written when the last part was sent.
  expect(lines[0]?.ms).toBeGreaterThanOrEqual(290);
  const ofLeaver = await logLines(service.app.services, async () => {
    const left = await ask(page, { headers: { cookie: `${cookie}; das_scripts=1` } }, '/docs', handleRequest);
    await left.body?.cancel();
  });
  expect(ofLeaver).toHaveLength(1);
  const ofNone = await (await ask(page, signedIn(), '/docs', handleRequest)).text();
  expect(ofNone).toContain('the late words');
  expect(ofNone).not.toContain('Loading words');
});

test('the page to sign in is a 503 with its words while the owner of the installation cannot be read', async () => {
  const { services } = service.app;
  const { env, owner } = services;
  services.env = { ...env, STANDALONE_ALLOWED_LOGINS: [] };
  // A folder is no file that could be read.
  services.owner = ownerFile(tmpdir());
  const answer = await ask({ loader: setUp.loader as unknown as PageModule['loader'] });
  Object.assign(services, { env, owner });
  expect([answer.status, await answer.text()]).toEqual([503, 'the words of the page']);
});
