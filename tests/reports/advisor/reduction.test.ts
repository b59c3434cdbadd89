import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain } from '../../../server/api/explain.ts';
import { type PanelsOf, panel } from '../../../server/http/adapters.ts';
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

const asked = (extra: Record<string, string>) => ({ context: openDemo(service, '/demo'), params: place, extra });
const open = (id: string) => panel(explain, asked({ metric: 'advisor_reduction', id }));

type Explained = Extract<PanelsOf<{ explained: typeof explain }>['explained'], { ok: true }>['data'];

async function opened(id: string): Promise<Explained> {
  const answer = await open(id);
  if (!answer.ok) throw new Error(answer.problem.code);
  return answer.data;
}

/** What its items come to. */
function remade({ counted }: Explained, isAfter: RegExp): number {
  const sum = (after: boolean) =>
    counted.reduce((total, { label, value }) => total + (isAfter.test(label) === after ? (value ?? 0) : 0), 0);
  return 100 * (1 - sum(true) / sum(false));
}

describe('the reduction of minutes opens to what it is made of', () => {
  test('of each recommendation: days as recorded, and with the change', async () => {
    const answer = await panel(getRecommendations, asked({}));
    const predicted = answer.ok
      ? answer.data.recommendations.flatMap(({ id, effect: { history } }) => (history ? [{ id, history }] : []))
      : [];
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
    const answer = await panel(getResults, asked({}));
    const rows = answer.ok ? answer.data.rows : [];
    expect(rows.filter(({ measured }) => measured !== null).length).toBe(4);
    for (const { id, measured } of rows) {
      const explained = await opened(id);
      expect(explained.value).toBe(measured?.mid ?? null);
      if (measured === null) expect(explained.counted).toEqual([]);
      else expect(remade(explained, /after the merge$/)).toBeCloseTo(measured.mid, 1);
    }
  });

  test('of nothing where there is no prediction, and of no other id', async () => {
    const answer = await panel(getRecommendations, asked({}));
    const security = answer.ok ? answer.data.recommendations.find(({ certainty }) => certainty === 'risk') : undefined;
    expect(await opened(security?.id ?? '')).toMatchObject({ value: null, sample: 0, counted: [] });
    expect(await open('0123456789abcdef')).toMatchObject({ ok: false, problem: { code: 'not_found' } });
    expect(await open('x')).toMatchObject({ ok: false, problem: { code: 'invalid_request' } });
    const without = await panel(explain, asked({ metric: 'advisor_reduction' }));
    expect(without).toMatchObject({
      ok: false,
      problem: { details: { fields: [{ field: 'id', reason: 'missing' }] } },
    });
  });
});
