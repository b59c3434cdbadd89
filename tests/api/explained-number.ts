import { expect } from 'vitest';
import { type Answer, partsShown, remade, type Shown } from './shown-numbers.ts';

type Asking = (path: string) => Promise<{ status: number; body: Answer }>;

/** Expects that a number of an answer is what its explanation counts; answers the explanation. */
export async function expectTrue(
  metric: string,
  { query, path, value, sample }: Shown,
  asking: Asking,
): Promise<Answer> {
  const [{ status, body }, answer] = [await asking(`/api/explain?metric=${metric}&${query}`), await asking(path)];
  const request = `${metric} ${query}`;
  expect([request, status, answer.status]).toEqual([request, 200, 200]);
  expect([request, body.value]).toEqual([request, value(answer.body)]);
  if (sample) expect([request, body.sample]).toEqual([request, sample(answer.body)]);
  expectPart(request, body);
  const part = partsShown[metric]?.(answer.body);
  if (body.part !== null && part !== undefined) expect([request, body.part]).toEqual([request, part]);
  expect([request, body.counted.length]).toEqual([request, Math.min(500, body.sample)]);
  const again = remade(body);
  if (again !== undefined && body.sample <= 500) expect([request, body.value]).toEqual([request, again]);
  const left = body.left_out.flatMap(({ items }: Answer) => items);
  for (const { count, items } of body.left_out) expect(items).toHaveLength(Math.min(20, count));
  const named = [...body.counted, ...left].map(({ label, url, at }: Answer) => `${label} ${url} ${at}`);
  if (!/mttr/.test(metric)) expect([request, named.length - new Set(named).size]).toEqual([request, 0]);
  return body;
}

/** Every percentage tells of how many it is made, to at least the precision that it is rounded to. */
function expectPart(request: string, { unit, value, sample, part }: Answer) {
  if (unit !== 'percent' || value === null) expect([request, part]).toEqual([request, null]);
  else expect([request, Math.abs((100 * part) / sample - value) <= 0.5]).toEqual([request, true]);
}
