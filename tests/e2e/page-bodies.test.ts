import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestHead, talk } from '../support/raw-http.ts';
import { type Site, startSiteProcess } from '../support/site.ts';

let site: Site;
let cookie: string;

beforeAll(async () => {
  site = await startSiteProcess({ NODE_OPTIONS: '--max-old-space-size=512' });
  cookie = await site.signIn();
});

afterAll(() => site?.stop());

const formType = 'application/x-www-form-urlencoded';
const posting = (path: string, headers: Record<string, string>) =>
  requestHead(`POST ${path} HTTP/1.1`, { Origin: site.url, 'Content-Type': formType, ...headers });

const mebibyte = Buffer.alloc(1024 * 1024, 'x');

function* flood(head: string, mebibytes: number) {
  yield `${head}6\r\ntheme=\r\n`;
  for (let sent = 0; sent < mebibytes; sent++) {
    yield '100000\r\n';
    yield mebibyte;
    yield '\r\n';
  }
  yield '0\r\n\r\n';
}

/** Megabytes that the process held at most so far; Linux reports. */
const peakMemory = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${site.pid}/status`, 'utf8'))?.[1]) / 1024;

describe('a body', () => {
  test
    .skipIf(process.platform !== 'linux')
    .each(['/theme', '/setup', '/sign-out', '/settings', '/nothing', '/api/auth/setup'])(
    'of 250 MB in chunks to %s is rejected and never held',
    async (path) => {
      await site.visit('/demo');
      const before = peakMemory();
      const { status, head } = await talk(site.url, flood(posting(path, { 'Transfer-Encoding': 'chunked' }), 250));
      expect([413, 415, 405]).toContain(status);
      expect(head).toContain('x-request-id: ');
      expect(peakMemory() - before).toBeLessThan(100);
      expect((await site.visit('/api/health')).status).toBe(200);
    },
  );

  test.each(['close', 'keep-alive'])(
    'that goes on after it was rejected does not take the answer away, Connection: %s',
    async (connection) => {
      const socket = connect(Number(new URL(site.url).port), '127.0.0.1').setEncoding('latin1');
      let heard = '';
      const closed = once(socket, 'close');
      socket.on('error', () => undefined);
      const [head, ...rest] = flood(posting('/theme', { 'Transfer-Encoding': 'chunked', Connection: connection }), 8);
      const isAnswered = () => /"path":"\/theme","status":413/.test(site.log().slice(before));
      const before = site.log().length;
      const [size, first, ...more] = rest;
      for (const chunk of [head, size, first]) socket.write(chunk ?? '');
      await expect.poll(isAnswered).toBe(true);
      for (const chunk of more) if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), closed]);
      socket.on('data', (chunk) => {
        heard += chunk;
        if (connection === 'keep-alive') socket.end();
      });
      await closed;
      expect(heard).toContain('HTTP/1.1 413 ');
    },
  );

  test('whose length is too large is rejected before it comes, with our error page', async () => {
    for (const path of ['/theme', '/setup']) {
      const { status, head, body } = await talk(site.url, [posting(path, { 'Content-Length': '65537' })]);
      expect([path, status]).toEqual([path, 413]);
      expect(body).toContain('<h1>Too large</h1>');
      expect(body).toContain(/x-request-id: (\S+)/.exec(head)?.[1]);
    }
  });

  test('of 64 KiB is read', async () => {
    const theme = `theme=light&more=${'x'.repeat(64 * 1024)}`.slice(0, 64 * 1024);
    const { status } = await talk(site.url, [posting('/theme', { 'Content-Length': String(theme.length) }) + theme]);
    expect(status).toBe(303);
  });

  test('of a page that says so may be longer: the longest text of an issue', async () => {
    const form = { title: 'Long', body: '💥'.repeat(10_000), preview: 'true' };
    const path = '/repos/octo/web/issues/new';
    expect((await site.visit(path, { cookie, form })).status).toBe(200);
    expect((await site.visit(path, { cookie, form: { ...form, more: 'x'.repeat(20_000) } })).status).toBe(413);
  });
});

describe('the theme', () => {
  const choose = (theme: string) => site.visit('/theme', { form: { theme, return_to: '/docs' } });

  test.each(['light', 'dark'])('%s is kept', async (theme) => {
    const { status, headers, location } = await choose(theme);
    expect([status, location, headers.getSetCookie()]).toEqual([
      303,
      '/docs',
      [`theme=${theme}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax`],
    ]);
  });

  test('of the system is forgotten', async () => {
    expect((await choose('system')).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^theme=system; Max-Age=0;/),
    ]);
  });

  test.each(['', 'blue', 'light; Secure'])('%s is no theme', async (theme) => {
    const { status, headers } = await choose(theme);
    expect([status, headers.getSetCookie()]).toEqual([400, []]);
  });
});
