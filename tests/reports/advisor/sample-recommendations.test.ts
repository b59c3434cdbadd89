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

test('the sample has a job that could start earlier, for more minutes', async () => {
  const input = getRecommendations.input.parse({ owner: 'lumen-harbor', repo: 'pilot-mobile' });
  const answer = await getRecommendations.run(input, openDemo(service, '/demo'), emptyReply());
  const { recommendations } = getRecommendations.output.parse(toWire(getRecommendations.output, answer));
  const earlier = recommendations.filter(({ kind }) => kind === 'ADV-08');
  expect(earlier).toMatchObject([
    { anchor: 'jobs.test.needs.lint', state: 'open', effect: { next_28_days: { saves: 'wall_time' } } },
  ]);
  const next = earlier[0]?.effect.next_28_days;
  expect(next?.wall_p50_change_s?.high).toBeLessThan(-60);
  expect(next?.minutes_added?.low).toBeGreaterThan(0);
});
