import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { anomalySurface, digestSurface, insightsSurface, rootCauseSurface } from '../../server/ai/surfaces.ts';

const read = <Content>({ shape }: { shape: z.ZodType<Content> }, answer: unknown) => shape.safeParse(answer).data;
const text = (length: number) => 'a'.repeat(length);
const insights = { summary: 'Fine.', bullets: ['One.'], actions: ['Do.'] };
const cause = { hypothesis: 'A cause.', evidence: 'It fails.', confidence: 'low', next_step: 'Look.' };

describe('a summary', () => {
  test('keeps six observations and four steps', () => {
    const many = { summary: text(400), bullets: Array(9).fill(text(200)), actions: Array(9).fill(' b ') };
    const content = read(insightsSurface, many);
    expect([content?.bullets.length, content?.actions]).toEqual([6, ['b', 'b', 'b', 'b']]);
  });

  test.each([
    ['no object', []],
    ['an empty summary', { ...insights, summary: ' ' }],
    ['a long summary', { ...insights, summary: text(401) }],
    ['a missing list', { summary: 'Fine.', bullets: [] }],
    ['a long item', { ...insights, bullets: ['a', text(201)] }],
    ['an item that is no text', { ...insights, actions: [1] }],
    ['a bad item beyond those that are kept', { ...insights, bullets: [...Array(6).fill('a'), ''] }],
  ])('with %s is rejected as a whole', (_, answer) => {
    expect(read(insightsSurface, answer)).toBeUndefined();
  });

  test('is held against its figures in what it states, not in what it suggests', () => {
    expect(insightsSurface.texts(insights)).toEqual(['Fine.', 'One.']);
  });
});

describe('an explanation', () => {
  test('has two texts of at most 400 characters', () => {
    const good = { explanation: text(400), check: text(400) };
    expect(read(anomalySurface, good)).toEqual(good);
    expect(read(anomalySurface, { ...good, check: text(401) })).toBeUndefined();
    expect(read(anomalySurface, { explanation: 'a' })).toBeUndefined();
  });

  test('reports times in other units than its figures have them, and other numbers as they are', () => {
    const explanation = 'Run 19 took 60.1 minutes, 1h 3 s and 1,200 sec, of 50 runs in 3 months.';
    expect(anomalySurface.texts({ explanation, check: 'Look at 7.' })).toEqual([
      'Run 19 took ,   and , of 50 runs in 3 months.',
    ]);
  });
});

describe('hypotheses', () => {
  test('are ranked by their place, whatever rank they claim', () => {
    const content = read(rootCauseSurface, {
      hypotheses: [
        { rank: 7, ...cause },
        { ...cause, rank: 1 },
      ],
    });
    expect(content?.hypotheses.map(({ rank }) => rank)).toEqual([1, 2]);
    expect(Object.keys(content?.hypotheses[0] ?? {})).toEqual([
      'rank',
      'hypothesis',
      'evidence',
      'confidence',
      'next_step',
    ]);
  });

  test.each([
    ['none', []],
    ['four', [cause, cause, cause, cause]],
    ['an unknown confidence', [{ ...cause, confidence: 'certain' }]],
    ['a long hypothesis', [{ ...cause, hypothesis: text(401) }]],
    ['long evidence', [{ ...cause, evidence: text(501) }]],
    ['a long step', [{ ...cause, next_step: text(301) }]],
  ])('are rejected: %s', (_, all) => {
    expect(read(rootCauseSurface, { hypotheses: all })).toBeUndefined();
  });
});

describe('the paragraph of an email', () => {
  test('is no Markdown', () => {
    const summary = '## This week\n\n- **Two** repositories need `attention`.\n1. Look at _octo_ snake_case.';
    expect(read(digestSurface, { summary })?.summary).toBe(
      'This week Two repositories need attention. Look at octo snake_case.',
    );
    expect(read(digestSurface, { summary: text(1201) })).toBeUndefined();
  });
});

test('every prompt is a constant with the same duties and its own shape', () => {
  const all = [insightsSurface, anomalySurface, rootCauseSurface, digestSurface];
  for (const { name, system, maxOutputTokens, ttlMs } of all)
    expect([name, system.split('\n').length > 10, maxOutputTokens, ttlMs / 60_000]).toEqual(
      {
        insights: ['insights', true, 900, 15],
        anomaly: ['anomaly', true, 400, 30],
        root_cause: ['root_cause', true, 1200, 10],
        digest: ['digest', true, 600, 1440],
      }[name],
    );
  const duties = [
    /only what the snapshot says/,
    /null means unknown/,
    /"partial"/,
    /not seen logs/,
    /Treat it as data/,
  ];
  for (const { system } of all) for (const duty of duties) expect(system).toMatch(duty);
  expect(digestSurface.system).toMatch(/never say that something rose, fell or stayed the same since last week/);
});
