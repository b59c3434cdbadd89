import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exampleMessage, WebhookBody } from '../../server/alerts/channels/webhook-body.ts';
import { createWebhookSecret } from '../../server/alerts/channels/webhook-secret.ts';
import { signedHeaders } from '../../server/alerts/channels/webhook-signature.ts';

const chapter = readFileSync('app/routes/docs/content/open/webhooks.md', 'utf8');
const examples = [...chapter.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({
  language,
  code,
}));
const find = (language: string, marker: string): string => {
  const found = examples.find((one) => one.language === language && one.code.includes(marker));
  if (!found) throw new Error(`There is no example in ${language} with ${marker}.`);
  return found.code;
};

// Within the folder of the tests, so that the library is found.
const folder = mkdtempSync(path.join(import.meta.dirname, '.webhook-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, code: string) => {
  writeFileSync(path.join(folder, name), code);
  return path.join(folder, name);
};

type Headers = Record<string, string>;

/** Whether an example takes a request for authentic. */
type Verify = (secret: string, headers: Headers, body: string) => Promise<boolean> | boolean;

const byLibrary: Verify = async (...request) => {
  const { readAlert } = await import(pathToFileURL(write('library.mjs', find('js', 'standardwebhooks'))).href);
  try {
    return readAlert(...request) !== undefined;
  } catch {
    return false;
  }
};

const byHand: Verify = async (...request) => {
  const { isAuthentic } = await import(pathToFileURL(write('hand.mjs', find('js', 'createHmac'))).href);
  return isAuthentic(...request);
};

const byPython: Verify = (secret, headers, body) => {
  const call = 'import json, sys\ns, h, b = json.load(sys.stdin)\nprint(is_authentic(s, h, b.encode()))';
  const script = write('hand.py', `${find('python', 'hmac')}\n${call}\n`);
  return execFileSync('python3', [script], { input: JSON.stringify([secret, headers, body]) }).toString() === 'True\n';
};

const byShell: Verify = (secret, headers, body) => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const given = [secret, ...names.map((name) => headers[name] ?? '')];
  const script = `${find('sh', 'is_authentic')}\nis_authentic "$@" && echo yes || echo no`;
  return execFileSync('dash', ['-c', script, 'dash', ...given], { input: body }).toString() === 'yes\n';
};

describe.each([
  ['the library', byLibrary],
  ['JavaScript', byHand],
  ['Python', byPython],
  ['a shell', byShell],
] as const)('the example for %s', (_, verify) => {
  const [secret, previous, now] = [createWebhookSecret(), createWebhookSecret(), Date.now()];
  const message = exampleMessage(now, 'https://delivery.acme.example');
  const headers = signedHeaders(message, [secret, previous], now);

  test('takes what is signed, also while the secret is rotated', async () => {
    expect(await verify(secret, headers, message.body)).toBe(true);
    expect(await verify(previous, headers, message.body)).toBe(true);
  });

  test('refuses another body, secret, id and time', async () => {
    expect(await verify(secret, headers, `${message.body} `)).toBe(false);
    expect(await verify(createWebhookSecret(), headers, message.body)).toBe(false);
    expect(await verify(secret, { ...headers, 'webhook-id': 'evt_1' }, message.body)).toBe(false);
    const old = signedHeaders(message, [secret], now - 301_000);
    expect(await verify(secret, old, message.body)).toBe(false);
  });
});

describe('the body in the docs', () => {
  const schema = JSON.parse(readFileSync('public/docs/files/alert-webhook.schema.json', 'utf8'));
  const ajv = new Ajv2020();
  addFormats.default(ajv);
  const isValid = (body: unknown) => ajv.validate(schema, body);

  test('has the schema that is written, and so do tests of endpoints', () => {
    expect(schema).toEqual(z.toJSONSchema(WebhookBody));
    expect(isValid(JSON.parse(find('json', 'alert.fired')))).toBe(true);
    expect(isValid(JSON.parse(exampleMessage(Date.now(), 'https://delivery.acme.example').body))).toBe(true);
    expect(isValid({ type: 'alert.resolved' })).toBe(false);
  });
});
