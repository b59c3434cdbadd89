import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestHead, talk } from '../support/raw-http.ts';
import { type Site, startSiteProcess } from '../support/site.ts';

let site: Site;
let cookie: string;

beforeAll(async () => {
  site = await startSiteProcess({ TRUST_PROXY_HOPS: '0' });
  cookie = await site.signIn();
});

afterAll(() => site?.stop());

describe('headers', () => {
  const secured = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'x-request-id': expect.stringMatching(/^[\w-]{8,}$/),
  };

  test.each(['/repos/octo/web', '/reports', '/settings', '/nothing'])(
    'of the data of %s are those of its page',
    async (path) => {
      const page = Object.fromEntries((await site.visit(path, { cookie })).headers);
      const answered = await site.visit(`${path}.data`, { cookie });
      const data = Object.fromEntries(answered.headers);
      expect(data['content-type']).toContain('text/x-script');
      expect(data['cache-control']).toBe('private, no-store');
      expect(page['cache-control']).toBe('private, no-store');
      expect(data['content-security-policy']).toContain("default-src 'self'");
      expect(data).toMatchObject(secured);
    },
  );

  test.each(['/api/health', '/api/auth/me', '/api/nothing'])('of %s let a browser load nothing', async (path) => {
    const { headers } = await site.visit(path);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  });

  test('of files are those of pages, and only files with hashed names are stored for ever', async () => {
    const { text } = await site.visit('/reports', { cookie });
    const asset = /"(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? '';
    const stays = { [asset]: 'public, max-age=31536000, immutable', '/favicon.svg': 'public, max-age=3600' };
    for (const [path, kept] of Object.entries(stays)) {
      const { status, headers } = await site.visit(path, { headers: { 'accept-encoding': 'gzip' } });
      expect([path, status]).toEqual([path, 200]);
      expect(Object.fromEntries(headers)).toMatchObject({ ...secured, 'cache-control': kept });
      const known = { 'If-None-Match': headers.get('etag') ?? '' };
      expect((await talk(site.url, [requestHead(`GET ${path} HTTP/1.1`, known)])).status).toBe(304);
    }
    const named = await site.visit('/favicon.svg', { headers: { 'x-request-id': 'named-by-caller' } });
    expect(named.headers.get('x-request-id')).toBe('named-by-caller');
    const outside = await site.visit('/favicon.svg', { headers: { range: 'bytes=900000-' } });
    expect(outside.status).toBe(416);
    expect(Object.fromEntries(outside.headers)).toMatchObject(secured);
    expect((await site.visit('/favicon.svg', { headers: { range: 'bytes=5-2' } })).status).toBe(416);
    for (const path of [
      '/assets/',
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/.vite/manifest.json',
    ])
      expect([path, (await talk(site.url, [requestHead(`GET ${path} HTTP/1.1`)])).status]).toEqual([path, 404]);
  });
});

describe('a request that no page takes', () => {
  const type = { 'Content-Type': 'application/json', 'Content-Length': '2', Origin: 'http://127.0.0.1' };

  test.each<[number, string, Record<string, string>]>([
    [405, 'TRACE / HTTP/1.1', {}],
    [405, 'CONNECT localhost:443 HTTP/1.1', {}],
    [405, 'PUT /theme HTTP/1.1', {}],
    [405, 'PATCH / HTTP/1.1', {}],
    [405, 'DELETE /settings HTTP/1.1', {}],
    [405, 'OPTIONS /settings HTTP/1.1', {}],
    [405, 'POST /docs HTTP/1.1', {}],
    [405, 'GET /theme HTTP/1.1', {}],
    [405, 'PURGE /docs.data HTTP/1.1', {}],
    [400, 'GET /%zz HTTP/1.1', {}],
    [400, 'GET /repos/%ff/x HTTP/1.1', {}],
    [400, 'GET / HTTP/1.1', { Host: 'a b' }],
    [400, 'GET / HTTP/1.1', { Host: 'a/b' }],
    [400, 'GET /api/health HTTP/1.1', { Host: '[::1' }],
    [400, 'GET / HTTP/1.1', { Host: '' }],
    [400, 'OPTIONS * HTTP/1.1', {}],
    [400, 'GET http:// HTTP/1.1', {}],
  ])('is answered with %d: %s %j', async (status, first, headers) => {
    const heard = await talk(site.url, [requestHead(first, headers)]);
    expect(heard.status).toBe(status);
    if (status === 405) expect(heard.head).toMatch(/^allow: (get, head|post)/m);
  });

  test.each([
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 4'], '0\r\n\r\n'],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 44'], ''],
    ['a length that is no number', ['Content-Length: +0'], ''],
    ['another coding', ['Transfer-Encoding: xchunked'], '0\r\n\r\n'],
    ['chunks that are not the last coding', ['Transfer-Encoding: chunked, identity'], '0\r\n\r\n'],
    ['a space behind a name', ['Content-Length : 0'], ''],
    ['a chunk of a broken length', ['Transfer-Encoding: chunked'], '0x1\r\nx\r\n0\r\n\r\n'],
    ['lines that end without a return', ['Content-Length: 0\nX-More: 1'], ''],
  ])('with %s is not read on, so that nothing hides behind it', async (_, headers, body) => {
    const hidden = requestHead('GET /docs HTTP/1.1');
    const first = ['POST /theme HTTP/1.1', 'Host: localhost', ...headers].map((line) => `${line}\r\n`).join('');
    const heard = await talk(site.url, [`${first}\r\n${body}${hidden}`]);
    expect(heard.status).toBe(400);
    expect(heard.body).not.toContain('HTTP/1.1');
    expect(heard.body).not.toContain('<html');
  });

  test('an absolute target is its path, and an unusual host is none of our business', async () => {
    expect((await talk(site.url, [requestHead('GET http://elsewhere.example/docs HTTP/1.1')])).status).toBe(200);
    expect((await talk(site.url, [requestHead('GET /docs HTTP/1.1', { Host: 'elsewhere.example:99' })])).status).toBe(
      200,
    );
  });

  test.each(['/theme', '/setup', '/sign-out', '/settings/session'])('%s takes forms only', async (path) => {
    const headers = { ...type, Origin: site.url };
    expect((await talk(site.url, [`${requestHead(`POST ${path} HTTP/1.1`, headers)}{}`])).status).toBe(415);
    const multipart = { ...headers, 'Content-Type': 'multipart/form-data; boundary=x' };
    const broken = await talk(site.url, [`${requestHead(`POST ${path} HTTP/1.1`, multipart)}{}`]);
    expect([broken.status, broken.body]).toEqual([400, expect.stringContaining('<h1>Bad request</h1>')]);
  });

  test.each(['constructor', 'toString', '__proto__', 'none'])('no form has a button named %s', async (intent) => {
    expect((await site.visit('/setup', { form: { intent } })).status).toBe(400);
  });

  test('what an address says was done is shown only in words of ours', async () => {
    const headers = { origin: site.url, cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 });
    const added = (await (await fetch(`${site.url}/api/alerts`, { method: 'POST', headers, body })).json()) as {
      rule: { id: number };
    };
    for (const done of ['__proto__', 'constructor'])
      expect((await site.visit(`/alerts?done=${done}&rule=${added.rule.id}`, { cookie })).status).toBe(200);
  });

  test('every error page names its request', async () => {
    for (const path of ['/nothing', '/%zz', '/settings/jobs/more']) {
      const { status, headers, text } = await site.visit(path, { cookie });
      expect(status).toBeGreaterThanOrEqual(400);
      expect([path, text.includes(`<code>${headers.get('x-request-id')}</code>`)]).toEqual([path, true]);
    }
  });

  test.each([
    ['/theme', { theme: 'blue' }, 400],
    ['/sign-out', { csrf: 'of another session' }, 403],
  ])('a form that %s does not take is answered with such a page', async (path, form, expected) => {
    const { status, headers, text } = await site.visit(path, { cookie, form });
    expect(status).toBe(expected);
    expect(text).toContain(`<code>${headers.get('x-request-id')}</code>`);
  });
});

test('a proxy that is not known is warned of once in the log, and on the page of jobs', async () => {
  for (const name of ['x-forwarded-for', 'forwarded'])
    await site.visit('/api/health', { headers: { [name]: 'for=9.9.9.9' } });
  expect(site.log().match(/"level":40.*TRUST_PROXY_HOPS is 0/g)).toHaveLength(1);
  expect((await site.visit('/settings/jobs', { cookie })).text).toContain('A proxy is not known.');
});

describe('the log', () => {
  test('names the request to the platform behind a 502, and the reason', async () => {
    site.double.fault({ times: 99 }, { kind: 'status', status: 502 });
    const answered = await site.visit('/api/codehost/repo-summary?owner=octo&repo=secret', { cookie });
    site.double.reset();
    expect(answered.status).toBe(502);
    const reported = logged().filter(({ request_id }) => request_id === answered.headers.get('x-request-id'));
    expect(reported.filter(({ level }) => level >= 40)).toEqual([
      expect.objectContaining({
        status: 502,
        code: 'upstream_unavailable',
        cause: expect.objectContaining({
          method: 'POST',
          status: 502,
          url: `${site.double.url}/graphql`,
          operation: expect.any(String),
        }),
      }),
    ]);
    expect(site.log()).not.toContain('token-ann');
  });

  test('says why the service itself refuses with 503', async () => {
    const { status, headers } = await site.visit('/api/cron/sync', { headers: { authorization: 'Bearer x' } });
    expect([status, headers.get('x-request-id')]).toEqual([401, expect.any(String)]);
    const hooked = await fetch(`${site.url}/api/webhooks/codehost`, { method: 'POST', body: '{}' });
    expect(hooked.status).toBe(503);
    expect(logged().filter(({ request_id }) => request_id === hooked.headers.get('x-request-id'))).toMatchObject([
      { level: 40, code: 'webhook_not_configured', cause: expect.any(String) },
      { level: 30, status: 503 },
    ]);
  });

  test('is all that standard output says: JSON, a line each', async () => {
    const says = site.log().split('\n');
    const ready = says.findIndex((line) => line.includes('Ctrl-C'));
    expect(ready).toBeGreaterThan(0);
    const others = says.slice(ready + 1).filter((line) => line !== '' && !line.startsWith('{"level"'));
    expect(others).toEqual([]);
    for (const line of says.slice(ready + 1)) if (line) JSON.parse(line);
    expect(logged().some(({ level }) => level >= 50)).toBe(false);
  });

  // biome-ignore lint/suspicious/noExplicitAny: lines of the log are looked into freely.
  const logged = (): any[] =>
    site
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
});
