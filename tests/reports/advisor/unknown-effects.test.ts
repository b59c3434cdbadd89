import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { eachDatabase } from '../../support/database.ts';
import { storeTimed } from './timed-steps.ts';

const path = '/api/advisor/recommendations?owner=octo&repo=timed';

eachDatabase((database) => {
  const visit = storedService(database);
  const ask = (address: string) => visit.service.ask('GET', address, { as: 'token-ann' });

  beforeAll(() => storeTimed(visit.service));

  test('the stored time of a step is what its change saves at most', async () => {
    const { body } = await ask(`${path}&kind=ADV-11`);
    const [one] = body.recommendations;
    expect(one).toMatchObject({
      certainty: 'unknown',
      finding: {
        text: 'The checkout of “lint” fetches the complete history, which takes 41 s (median of 30 runs).',
        sample: 30,
      },
      effect: {
        predicted: false,
        reason: { code: 'nothing_to_compare' },
        history: null,
        next_28_days: null,
        ceiling: { measure: 'checkout step, median', value: 41, unit: 's' },
      },
    });
    const detail = await ask(`/api/advisor/recommendation?owner=octo&repo=timed&id=${one.id}`);
    expect(detail.body.diff).toContain('-          fetch-depth: 0\n');
    expect(detail.body.evidence.runs.length).toBe(30);
    expect(detail.body.evidence.runs[0]).toMatchObject({ minutes_after: null, why: 'the checkout took 41 s' });
  });

  test('what stored artifacts come to is not read, so that nothing is said of it', async () => {
    const { body } = await ask(`${path}&kind=ADV-12`);
    expect(body.recommendations).toMatchObject([
      { certainty: 'unknown', finding: { sample: 30 }, effect: { predicted: false, ceiling: null } },
    ]);
  });
});
