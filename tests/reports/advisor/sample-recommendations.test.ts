import { afterAll, beforeAll, expect, test } from 'vitest';
import { toWire } from '../../../server/api/wire.ts';
import { emptyReply } from '../../../server/http/execute.ts';
import { getRecommendations } from '../../../server/reports/advisor/operations.ts';
import { openDemo } from '../../support/demo-context.ts';
import { type Service, startService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

async function readSample() {
  const input = getRecommendations.input.parse({ owner: 'lumen-harbor', repo: 'pilot-mobile' });
  const answer = await getRecommendations.run(input, openDemo(service, '/demo'), emptyReply());
  return getRecommendations.output.parse(toWire(getRecommendations.output, answer));
}

test('the sample has a recommendation of each sort: predicted, of unknown effect, about security, not offered', async () => {
  const { recommendations, not_offered: notOffered, calibration, window } = await readSample();
  expect(window?.covered_days).toBe(90);
  expect(calibration).toMatchObject({ state: 'ok' });
  const find = (kind: string) => recommendations.find((one) => one.kind === kind);
  for (const kind of ['ADV-01', 'ADV-02', 'ADV-05'])
    expect([kind, find(kind)?.effect.next_28_days?.minutes_saved.high ?? 0]).toEqual([kind, expect.toSatisfy(isSome)]);
  expect(find('ADV-10')).toMatchObject({ certainty: 'unknown', effect: { next_28_days: null } });
  expect(find('ADV-10')?.effect.ceiling?.value).toBeGreaterThan(10);
  expect(find('ADV-20')?.certainty).toBe('risk');
  const reasonsOf = (kind: string) =>
    notOffered.filter((one) => one.kind === kind).map(({ reasons }) => reasons.map(({ code }) => code));
  expect(reasonsOf('ADV-04')).toContainEqual(['required_check']);
  expect(reasonsOf('ADV-21')).toContainEqual(['reference_unknown']);
});

const isSome = (minutes: number) => minutes > 30;

test('the sample has a job that could start earlier, for more minutes', async () => {
  const { recommendations } = await readSample();
  const earlier = recommendations.filter(({ kind }) => kind === 'ADV-08');
  expect(earlier).toMatchObject([
    { anchor: 'jobs.test.needs.lint', state: 'open', effect: { next_28_days: { saves: 'wall_time' } } },
  ]);
  const next = earlier[0]?.effect.next_28_days;
  expect(next?.wall_p50_change_s?.high).toBeLessThan(-60);
  expect(next?.minutes_added?.low).toBeGreaterThan(0);
});
