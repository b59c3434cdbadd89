import { describe, expect, test } from 'vitest';
import type { ProviderAnswer } from '../support/ai-double.ts';
import { canary, denial, request, surface, threeProviders } from './generate-doubles.ts';

const { doubles, said, clock, later, asks, begin } = threeProviders();

const good = JSON.stringify({ summary: 'Runs: 12.' });
const ok: ProviderAnswer = { text: good };
const status = (code: number): ProviderAnswer => ({
  status: code,
  raw: '{"error":{"message":"canary of the provider"}}',
});
const nonsense: ProviderAnswer = { text: 'I am sorry, I cannot do that.' };

describe('without a key', () => {
  test('nothing is in effect, and nobody is asked', async () => {
    const layer = begin({ keys: [] });
    expect(await layer.status()).toEqual({ enabled: false, providers: [] });
    expect(await denial(layer.generate(surface, request))).toBe('ai_not_configured');
  });

  test('neither is it where the layer is switched off, whatever keys there are', async () => {
    const layer = begin({ env: { AI_DISABLED: 'true' } });
    expect(await layer.status()).toEqual({ enabled: false, providers: [] });
    expect(await denial(layer.generate(surface, request))).toBe('ai_not_configured');
    expect(asks()).toEqual([0, 0, 0]);
  });
});

test('providers with a key are in effect, in their order', async () => {
  expect(await begin({ keys: ['openai', 'anthropic'] }).status()).toEqual({
    enabled: true,
    providers: ['anthropic', 'openai'],
  });
});

test('a text comes from the first provider, written from the snapshot and nothing else', async () => {
  doubles.anthropic.next(ok);
  expect(await begin().generate(surface, request)).toEqual({
    content: { summary: 'Runs: 12.' },
    provider: 'anthropic',
    model: 'claude-haiku-4-5',
    generatedAt: clock.now(),
    cached: false,
    unverified: false,
  });
  expect(asks()).toEqual([1, 0, 0]);
  const { body } = doubles.anthropic.received[0] ?? {};
  expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: '{"period_days":30,"runs":12}' }] }]);
});

test('models are those of the environment', async () => {
  const layer = begin({ keys: ['gemini'], env: { GEMINI_MODEL: 'gemini-next' } });
  expect(await layer.generate(surface, request)).toMatchObject({ provider: 'gemini', model: 'gemini-next' });
  expect(doubles.gemini.received[0]?.body.model).toBe('gemini-next');
});

describe('trouble', () => {
  type Case = [string, ProviderAnswer[], ProviderAnswer[], ProviderAnswer[], string, number[]];

  test.each<Case>([
    ['that passes is tried again', [status(429), ok], [], [], 'anthropic', [2, 0, 0]],
    ['of the provider is tried again', [status(500), ok], [], [], 'anthropic', [2, 0, 0]],
    ['that stays goes to the next', [status(503), status(503)], [ok], [], 'gemini', [2, 1, 0]],
    ['of the connection goes to the next', ['broken', 'broken'], [ok], [], 'gemini', [2, 1, 0]],
    ['of too much time goes to the next', ['silence', 'silence'], [ok], [], 'gemini', [2, 1, 0]],
    ['of nothing said goes to the next', [{ text: '' }, { text: ' \n' }], [ok], [], 'gemini', [2, 1, 0]],
    ['with the key goes to the next at once', [status(401)], [status(403)], [ok], 'openai', [1, 1, 1]],
    ['with the question goes to the next at once', [status(400)], [ok], [], 'gemini', [1, 1, 0]],
    ['with the text asks for another', [nonsense, ok], [], [], 'anthropic', [2, 0, 0]],
    ['with the text costs no attempt', [nonsense, status(500), ok], [], [], 'anthropic', [3, 0, 0]],
    ['with the text and the key goes to the next', [nonsense, status(401)], [ok], [], 'gemini', [2, 1, 0]],
    ['with the text twice is the end', [nonsense, nonsense], [ok], [], 'ai_unavailable', [2, 0, 0]],
    ['with texts of two is the end', [nonsense, status(401)], [nonsense], [ok], 'ai_unavailable', [2, 1, 0]],
    ['with all is the end', [status(401)], [status(500), status(500)], [status(400)], 'ai_unavailable', [1, 2, 1]],
  ])('%s', async (_name, anthropic, gemini, openai, end, times) => {
    doubles.anthropic.next(...anthropic);
    doubles.gemini.next(...gemini);
    doubles.openai.next(...openai);
    const layer = begin({ waits: anthropic.includes('silence') ? { AI_TIMEOUT_MS: 2000 } : {} });
    const answer = layer.generate(surface, request);
    if (end === 'ai_unavailable') expect(await denial(answer)).toBe(end);
    else expect(await answer).toMatchObject({ provider: end, content: { summary: 'Runs: 12.' } });
    expect(asks()).toEqual(times);
  });

  test('is waited for a second before it is tried again', async () => {
    doubles.anthropic.next(status(429), ok);
    const begun = performance.now();
    await begin({ isPatient: true }).generate(surface, request);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
  });

  test('of all providers ends with the time for all attempts', async () => {
    for (const double of Object.values(doubles)) double.next('silence', 'silence');
    const layer = begin({ waits: { AI_TIMEOUT_MS: 300, AI_TOTAL_BUDGET_MS: 850 } });
    expect(await denial(layer.generate(surface, request))).toBe('ai_unavailable');
    // A fourth attempt would begin after 900 ms at the earliest.
    expect(asks()[2]).toBe(0);
    expect(said.at(-1)).toContain('"reason":"timeout"');
  });

  test('is never stored', async () => {
    const layer = begin({ keys: ['openai'] });
    for (const answers of [[nonsense, nonsense], [status(401)]]) {
      doubles.openai.next(...answers);
      expect(await denial(layer.generate(surface, request))).toBe('ai_unavailable');
    }
    expect((await layer.generate(surface, request)).cached).toBe(false);
  });

  test('is logged by the names of provider and surface, without a word of question or answer', async () => {
    said.length = 0;
    doubles.anthropic.next(status(401));
    doubles.gemini.next(nonsense, ok);
    await begin().generate(surface, request);
    expect(said.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, provider: 'anthropic', surface: 'insights', reason: 'status_401' },
      { level: 40, provider: 'gemini', surface: 'insights', msg: 'an AI provider wrote what does not hold up' },
    ]);
    expect(said.join('')).not.toMatch(canary);
  });
});

describe('a text', () => {
  test('within a code fence is taken', async () => {
    doubles.anthropic.next({ text: `\`\`\`json\n${good}\n\`\`\`` });
    expect((await begin().generate(surface, request)).content).toEqual({ summary: 'Runs: 12.' });
  });

  test('with numbers that nobody measured says so, from the cache too', async () => {
    doubles.anthropic.next({ text: '{"summary":"Runs: 13."}' });
    const layer = begin();
    expect(await layer.generate(surface, request)).toMatchObject({ unverified: true, cached: false });
    expect(await layer.generate(surface, request)).toMatchObject({ unverified: true, cached: true });
  });

  test.each([
    ['an address', '{"summary":"See https://evil.example"}'],
    ['markup', '{"summary":"<b>12</b>"}'],
    ['a person', '{"summary":"Ask ann@corp.example"}'],
    ['too many words', JSON.stringify({ summary: 'x'.repeat(401) })],
    ['a field missing', '{"text":"Runs: 12."}'],
  ])('with %s is never shown', async (_name, text) => {
    doubles.anthropic.next({ text }, { text });
    expect(await denial(begin().generate(surface, request))).toBe('ai_unavailable');
    expect(asks()).toEqual([2, 0, 0]);
  });
});

describe('without a database', () => {
  test('a text is stored by everything it depends on, for its time', async () => {
    const layer = begin({ keys: ['openai'] });
    const first = await layer.generate(surface, request);
    expect(await layer.generate(surface, request)).toEqual({ ...first, cached: true });
    await layer.generate(surface, { ...request, scope: 'repo:octo/api' });
    await layer.generate(surface, { ...request, snapshot: { ...request.snapshot, runs: 13 } });
    await layer.generate({ ...surface, promptVersion: 2 }, request);
    await layer.generate({ ...surface, name: 'digest' }, request);
    expect(asks()).toEqual([0, 0, 5]);
    later(surface.ttlMs - 1);
    expect((await layer.generate(surface, request)).cached).toBe(true);
    later(1);
    expect((await layer.generate(surface, request)).cached).toBe(false);
  });

  test('a fresh one takes the place of the stored one', async () => {
    const layer = begin({ keys: ['openai'] });
    await layer.generate(surface, request);
    doubles.openai.next({ text: '{"summary":"Again: 30."}' });
    expect(await layer.generate(surface, { ...request, refresh: true })).toMatchObject({ cached: false });
    expect(await layer.generate(surface, request)).toMatchObject({ cached: true, content: { summary: 'Again: 30.' } });
  });

  test('twenty who ask at once share one', async () => {
    doubles.openai.next({ text: good, afterMs: 50 });
    const layer = begin({ keys: ['openai'] });
    const all = await Promise.all(Array.from({ length: 20 }, () => layer.generate(surface, request)));
    expect(new Set(all.map(({ content }) => content.summary))).toEqual(new Set(['Runs: 12.']));
    expect(asks()).toEqual([0, 0, 1]);
  });

  test('spent tokens refuse a new text, and still show the stored one', async () => {
    const layer = begin({ keys: ['openai'], env: { AI_DAILY_TOKEN_BUDGET: '400' } });
    doubles.openai.next({ text: good, usage: { prompt: 200, completion: 100 } });
    await layer.generate(surface, request);
    expect(await denial(layer.generate(surface, { ...request, refresh: true }))).toBe('ai_budget_exhausted');
    expect((await layer.generate(surface, request)).cached).toBe(true);
    expect(asks()).toEqual([0, 0, 1]);
  });

  test.each([[undefined], [{}], [{ total_tokens: 900 }], [{ prompt_tokens: 100, completion_tokens: -5_000_000 }]])(
    'a server that reports %j of its tokens spends what was set aside',
    async (usage) => {
      const layer = begin({ keys: ['openai'], env: { AI_DAILY_TOKEN_BUDGET: '1000' } });
      const choices = [{ index: 0, message: { role: 'assistant', content: good }, finish_reason: 'stop' }];
      const raw = JSON.stringify({ id: 'chatcmpl-1', choices, usage });
      doubles.openai.next(...Array(4).fill({ status: 200, raw }));
      // 18 bytes of instructions and 28 of figures are 16 tokens, a text 300: three times 316 of 950.
      for (let index = 0; index < 3; index++) await layer.generate(surface, { ...request, refresh: true });
      expect(await denial(layer.generate(surface, { ...request, refresh: true }))).toBe('ai_budget_exhausted');
      expect(asks()).toEqual([0, 0, 3]);
    },
  );
});
