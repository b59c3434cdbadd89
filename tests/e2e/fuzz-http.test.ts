import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSiteProcess } from '../support/site.ts';

// A plain script without types.
const { defectLines, fuzz, readAnswer, strayLines } = await import(
  resolve(import.meta.dirname, '../bench/fuzz-http.mjs')
);

let site: Site;

beforeAll(async () => {
  site = await startSiteProcess({ RATE_LIMIT_SESSION_PER_MINUTE: '0' });
});

afterAll(() => site?.stop());

test('2,000 odd requests get no 500, and leave nothing but lines of JSON in the log', async () => {
  const { url } = site;
  const cookie = await site.signIn();
  const { statuses, failed, codeless } = await fuzz({ url, origin: url, cookie, requests: 2000, seed: 14 });
  expect([failed, codeless]).toEqual([[], []]);
  expect(statuses).toMatchObject({ 200: expect.any(Number), 400: expect.any(Number), 405: expect.any(Number) });
  const said = site.log();
  expect(strayLines(said.slice(said.indexOf('Ctrl-C\n') + 'Ctrl-C\n'.length))).toEqual([]);
  expect(defectLines(said)).toEqual([]);
  expect((await site.visit('/api/health')).status).toBe(200);
});

test.each([
  ['', { status: 0, isCodeless: false }],
  [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 503 x\r\nContent-Type: application/json; charset=utf-8\r\n\r\n{"error":"x","code":"gone"}',
    { status: 503, code: 'gone', isCodeless: false },
  ],
  ['HTTP/1.1 502 x\r\nContent-Type: application/json\r\n\r\n{}', { code: 'without a code', isCodeless: true }],
  ['HTTP/1.1 503 x\r\nContent-Type: text/html\r\n\r\n<html>', { code: 'text/html', isCodeless: false }],
  ['HTTP/1.1 503 x\r\nContent-Type: application/json\r\n\r\n', { isCodeless: false }],
  [
    'HTTP/1.1 502 x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 404 x\r\n\r\n{"code":"not_found"}',
    { status: 502, isCodeless: true },
  ],
])('an answer is distinguished from a failure without a code: %j', (heard, reported) => {
  expect(readAnswer(heard)).toMatchObject(reported);
});
