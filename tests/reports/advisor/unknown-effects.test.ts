import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { aDatabase } from '../../support/a-database.ts';
import { storeTimed } from './timed-steps.ts';

const path = '/api/advisor/recommendations?owner=octo&repo=timed';

aDatabase((database) => {
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

  test('lock files are read with the workflow files, the size of caches only where one could be recommended', async () => {
    const addresses = () => visit.service.double.requests.map(({ path: address }) => address);
    const { body } = await ask(`${path}&kind=ADV-10`);
    expect(body.recommendations).toMatchObject([
      {
        finding: { text: expect.stringContaining('in a step that takes 27 s (median of 30 runs)') },
        effect: { predicted: false, ceiling: { measure: 'install step, median', value: 27, unit: 's' } },
      },
    ]);
    const usage = '/repos/octo/timed/actions/cache/usage';
    expect(addresses().filter((address) => address === usage).length).toBe(1);
    visit.service.clock.advance(3_600_000);
    await ask(`${path}&kind=ADV-10`);
    expect(addresses().filter((address) => address === usage).length).toBe(1);
    await ask('/api/advisor/recommendations?owner=octo&repo=web');
    expect(addresses()).not.toContain('/repos/octo/web/actions/cache/usage');
  });

  test('what stored artifacts come to is not read, so that nothing is said of it', async () => {
    const { body } = await ask(`${path}&kind=ADV-12`);
    expect(body.recommendations).toMatchObject([
      { certainty: 'unknown', finding: { sample: 30 }, effect: { predicted: false, ceiling: null } },
    ]);
  });
});
