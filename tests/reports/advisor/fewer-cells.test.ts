import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { settledPlan } from './advised-world.ts';
import { storeMatrix } from './matrix-world.ts';

const path = '/api/advisor/recommendations?owner=octo&repo=cells&kind=ADV-07';

aDatabase((database) => {
  const visit = storedService(database);
  const ask = (address: string) => visit.service.ask('GET', address, { as: 'token-ann' });
  const spare = 'test (macos-15, 22)';

  beforeAll(() => storeMatrix(visit.service));

  test('a cell is left out with what it took, and the plan does not count it', async () => {
    const { body } = await ask(path);
    const [one] = body.recommendations;
    expect(one).toMatchObject({
      certainty: 'recorded',
      finding: { text: `“${spare}” never failed alone in 210 runs, and took 1260 min; 5 other cells stay.` },
      effect: { predicted: true, history: { minutes_before: 5670, minutes_after: 4410, reduction_pct: 22.2 } },
      risks: [{ count: 0, of: 210 }],
    });
    const plan = await settledPlan(visit.service, 'owner=octo&repo=cells', 'token-ann');
    expect(plan.body).toMatchObject({ total: null, rows: [{ kind: 'ADV-07', marginal: null }] });
  });

  test('a check that pull requests need is not left out', async () => {
    const { requiredChecks } = repositoryOf(visit.service.double.world, 'octo/cells');
    requiredChecks.byRules.push(spare);
    visit.service.clock.advance(6 * 3_600_000);
    const { body } = await ask(path);
    expect(body.recommendations).toMatchObject([{ finding: { text: expect.stringContaining('ubuntu-24.04, 22') } }]);
  });
});
