import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain } from '../../../server/api/explain.ts';
import { toWire } from '../../../server/api/wire.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { getRecommendations } from '../../../server/reports/advisor/operations.ts';
import { getResults } from '../../../server/reports/advisor-results/operations.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

const place = { owner: 'lumen-harbor', repo: 'pilot-mobile' };
let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

const context = () => openDemo(service, '/demo');

async function opened(id?: string) {
  const input = explain.input.parse({ ...place, metric: 'advisor_reduction', id });
  return explain.output.parse(toWire(explain.output, await explain.run(input, context(), emptyReply())));
}

type Explained = Awaited<ReturnType<typeof opened>>;

async function recommended() {
  const answer = await getRecommendations.run(getRecommendations.input.parse(place), context(), emptyReply());
  return getRecommendations.output.parse(toWire(getRecommendations.output, answer)).recommendations;
}

/** What its items come to. */
function remade({ counted }: Explained, isAfter: RegExp): number {
  const sum = (after: boolean) =>
    counted.reduce((total, { label, value }) => total + (isAfter.test(label) === after ? (value ?? 0) : 0), 0);
  return 100 * (1 - sum(true) / sum(false));
}

describe('the reduction of minutes opens to what it is made of', () => {
  test('of each recommendation: days as recorded, and with the change', async () => {
    const predicted = (await recommended()).flatMap(({ id, effect: { history } }) =>
      history ? [{ id, history }] : [],
    );
    expect(predicted.length).toBeGreaterThan(3);
    for (const { id, history } of predicted) {
      const explained = await opened(id);
      expect(explained).toMatchObject({ metric: 'advisor_reduction', unit: 'percent', value: history.reduction_pct });
      expect(remade(explained, /with the change$/)).toBeCloseTo(explained.value ?? -1, 1);
      const recorded = explained.counted.filter(({ label }) => label.endsWith('as recorded'));
      expect(recorded.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(history.minutes_before);
    }
  });

  test('of each merged change: kinds of demand, as measured', async () => {
    const answer = await getResults.run(getResults.input.parse(place), context(), emptyReply());
    const { rows } = getResults.output.parse(toWire(getResults.output, answer));
    expect(rows.filter(({ measured }) => measured !== null).length).toBe(4);
    for (const { id, measured } of rows) {
      const explained = await opened(id);
      expect(explained.value).toBe(measured?.mid ?? null);
      if (measured === null) expect(explained.counted).toEqual([]);
      else expect(remade(explained, /after the merge$/)).toBeCloseTo(measured.mid, 1);
    }
  });

  test('of nothing where there is no prediction, and of no other id', async () => {
    const security = (await recommended()).find(({ certainty }) => certainty === 'risk');
    expect(await opened(security?.id ?? '')).toMatchObject({ value: null, sample: 0, counted: [] });
    await expect(opened('0123456789abcdef')).rejects.toMatchObject({ code: 'not_found' });
    await expect(opened('x')).rejects.toThrow('is not the id of a recommendation');
    await expect(opened()).rejects.toMatchObject({
      code: 'invalid_request',
      details: { fields: [{ field: 'id', reason: 'missing' }] },
    });
  });
});
