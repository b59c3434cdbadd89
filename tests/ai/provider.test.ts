import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NoText, requestProvider } from '../../server/ai/provider.ts';
import type { ProviderAccess } from '../../server/settings/ai-provider.ts';
import { type AiDouble, type ProviderAnswer, startAiDouble } from '../support/ai-double.ts';

let plain: AiDouble;
let secure: AiDouble;

beforeAll(async () => {
  [plain, secure] = await Promise.all([startAiDouble(), startAiDouble({ secure: true })]);
});
afterEach(() => {
  for (const one of [plain, secure]) one.reset();
});
afterAll(() => Promise.all([plain?.close(), secure?.close()]));

const question = { system: 'Answer in JSON.', prompt: '{"runs":12}', maxOutputTokens: 400, timeoutMs: 60_000 };

const accessTo = (provider: ProviderAccess['provider'], rest: Partial<ProviderAccess> = {}): ProviderAccess => ({
  provider,
  model: 'a-model',
  baseUrl: plain.url,
  apiKey: 'key-canary-4711',
  isPublicOnly: false,
  ...rest,
});

const request = (access: ProviderAccess, allowedHosts: string[] = [], rest: Partial<typeof question> = {}) =>
  requestProvider(access, { ...question, ...rest }, allowedHosts);

/** Why there was no text. */
async function reason(access: ProviderAccess, allowedHosts: string[] = [], rest: Partial<typeof question> = {}) {
  const error = await request(access, allowedHosts, rest).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(NoText);
  const { reason: why, isTransient, mayCost } = error as NoText;
  expect(JSON.stringify({ error, message: (error as NoText).message, cause: (error as NoText).cause })).not.toMatch(
    /canary|Answer in JSON|runs/,
  );
  return [why, isTransient, mayCost];
}

test('a provider whose certificate has expired is not sent anything', async () => {
  const outdated = await startAiDouble({ secure: true, isExpired: true });
  expect(await reason(accessTo('openai', { baseUrl: outdated.url }))).toEqual(['unreachable', true, true]);
  expect(outdated.received).toEqual([]);
  await outdated.close();
});

describe('what a provider receives', () => {
  test('by the messages protocol is a system prompt, the snapshot, and no thinking', async () => {
    const { text, used } = await request(accessTo('anthropic', { model: 'claude-haiku-4-5' }));
    expect([text, used]).toEqual([plain.usual, { promptTokens: 100, completionTokens: 20 }]);
    const [{ method, path, headers, body } = { headers: {} as Record<string, string> }] = plain.received;
    expect([method, path]).toEqual(['POST', '/v1/messages']);
    expect(headers).toMatchObject({ 'x-api-key': 'key-canary-4711', 'anthropic-version': '2023-06-01' });
    expect([headers.authorization, headers['user-agent']]).toEqual([undefined, 'delivery-analytics']);
    expect(body).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 400,
      temperature: 0.2,
      thinking: { type: 'disabled' },
      system: [{ type: 'text', text: 'Answer in JSON.' }],
      messages: [{ role: 'user', content: [{ type: 'text', text: '{"runs":12}' }] }],
    });
  });

  test('by chat completions is the same, with JSON requested', async () => {
    for (const provider of ['gemini', 'openai'] as const) {
      plain.reset();
      expect((await request(accessTo(provider))).text).toBe(plain.usual);
      const [{ path, headers, body } = { headers: {} as Record<string, string> }] = plain.received;
      expect([path, headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer key-canary-4711']);
      expect(headers['x-api-key']).toBeUndefined();
      expect(body).toEqual({
        model: 'a-model',
        max_tokens: 400,
        temperature: 0.2,
        response_format: { type: 'json_object' },
        messages: [
          { role: 'system', content: 'Answer in JSON.' },
          { role: 'user', content: '{"runs":12}' },
        ],
      });
    }
  });

  test.each([
    ['gpt-5-mini', { max_completion_tokens: 400, reasoning_effort: 'minimal' }],
    ['gpt-5.1', { max_completion_tokens: 400, reasoning_effort: 'none' }],
    ['o4-mini', { max_completion_tokens: 400, reasoning_effort: 'low' }],
    ['gemini-2.5-flash', { max_tokens: 400, temperature: 0.2, reasoning_effort: 'none' }],
    ['gpt-4.1-mini', { max_tokens: 400, temperature: 0.2 }],
  ])('%s thinks as little as it can be set to', async (model, said) => {
    await request(accessTo('openai', { model }));
    const { messages: _messages, response_format: _format, ...body } = plain.received[0]?.body ?? {};
    expect(body).toEqual({ model, ...said });
  });

  test('holds the key in one header and nowhere else', async () => {
    await request(accessTo('anthropic'));
    await request(accessTo('openai'));
    for (const { path, text, headers } of plain.received) {
      const carrying = Object.entries(headers).filter(([, value]) => String(value).includes('canary'));
      expect([`${path}${text}`.includes('canary'), carrying.length]).toEqual([false, 1]);
    }
  });
});

describe('what a text took', () => {
  /** A text by chat completions, with whatever a server says of its tokens. */
  const answered = async (usage: unknown, content = 'Fine.') => {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    plain.next({ status: 200, raw: JSON.stringify({ id: 'chatcmpl-1', choices, usage }) });
    return (await request(accessTo('openai'))).used;
  };

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['no figures', {}],
    ['their sum alone', { total_tokens: 900 }],
    ['the question alone', { prompt_tokens: 100 }],
    ['the text alone', { completion_tokens: 20 }],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }],
    ['a debt', { prompt_tokens: 100, completion_tokens: -5_000_000 }],
    ['a debt for the question', { prompt_tokens: -5_000_000, completion_tokens: 20 }],
    ['parts of tokens', { prompt_tokens: 0.5, completion_tokens: 20 }],
    ['more than can be counted', { prompt_tokens: 2 ** 53, completion_tokens: 20 }],
  ])('is not known from %s', async (_name, usage) => {
    expect(await answered(usage)).toBeNull();
  });

  test('is what the provider says, nothing for a text that is empty', async () => {
    expect(await answered({ prompt_tokens: 1, completion_tokens: 1 })).toEqual({
      promptTokens: 1,
      completionTokens: 1,
    });
    expect(await answered({ prompt_tokens: 100, completion_tokens: 0 }, '')).toEqual({
      promptTokens: 100,
      completionTokens: 0,
    });
  });

  test('is not known from a server of the messages protocol that says zero', async () => {
    plain.next({ text: 'Fine.', usage: null });
    expect((await request(accessTo('anthropic'))).used).toBeNull();
  });
});

describe('there is no text', () => {
  test.each<[string, ProviderAnswer, (string | boolean)[]]>([
    ['a refusal', { status: 400 }, ['status_400', false, false]],
    ['a wrong key', { status: 401, raw: '{"error":{"message":"bad key-canary-4711"}}' }, ['status_401', false, false]],
    ['an unknown model', { status: 404 }, ['status_404', false, false]],
    ['too many questions', { status: 429 }, ['status_429', true, false]],
    ['trouble', { status: 500 }, ['status_500', true, false]],
    ['overload', { status: 529, raw: 'overloaded' }, ['status_529', true, false]],
    ['a page', { status: 200, raw: '<html>Sign in to this network</html>' }, ['unusable', false, true]],
    ['JSON of another kind', { status: 200, raw: '{"choices":[],"content":"none"}' }, ['unusable', false, true]],
    ['more than 256 KiB', { text: 'x'.repeat(256 * 1024) }, ['unusable', false, true]],
    ['an end in the middle', 'broken', ['unreachable', true, true]],
  ])('after %s', async (_name, answer, why) => {
    for (const provider of ['anthropic', 'openai'] as const) {
      plain.next(answer);
      expect(await reason(accessTo(provider))).toEqual(why);
    }
  });

  test('not before 256 KiB are over', async () => {
    plain.next({ text: 'x'.repeat(255 * 1024) });
    expect((await request(accessTo('openai'))).text).toHaveLength(255 * 1024);
  });

  test('after silence, as soon as the time is over', async () => {
    plain.next('silence');
    expect(await reason(accessTo('gemini'), [], { timeoutMs: 300 })).toEqual(['timeout', true, true]);
  });

  test('where nobody listens', async () => {
    const { url: baseUrl, close } = await startAiDouble();
    await close();
    expect(await reason(accessTo('openai', { baseUrl }))).toEqual(['unreachable', true, false]);
  });

  test('after a redirect, which nobody follows', async () => {
    plain.next({ status: 307, headers: { location: `${secure.url}/messages` } });
    expect(await reason(accessTo('anthropic'))).toEqual(['unusable', false, true]);
    expect([plain.received.length, secure.received.length]).toEqual([1, 0]);
  });
});

describe('an address from the settings', () => {
  const typedIn = (baseUrl: string) => accessTo('openai', { baseUrl, isPublicOnly: true });

  test('is requested where it is allowed', async () => {
    expect((await request(typedIn(secure.url), ['127.0.0.1'])).text).toBe(secure.usual);
    expect(secure.received).toHaveLength(1);
  });

  test('receives not even a connection where it is private', async () => {
    let connections = 0;
    const server = createServer().on('connection', () => connections++);
    server.listen(0, 'localhost');
    await new Promise((ready) => server.once('listening', ready));
    const { port } = server.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '127.1', '0.0.0.0'])
      expect(await reason(typedIn(`https://${host}:${port}/v1`), ['elsewhere.example'])).toEqual([
        'unsafe_address',
        false,
        false,
      ]);
    expect(connections).toBe(0);
    server.close();
  });
});
