import { expect, test } from 'vitest';
import { isThorough, rounds } from '../support/rounds.ts';
import { type Defect, startDeployment } from './deployment.ts';
import { simulate } from './simulation.ts';

/** The first seed; a failure names its own, and `node tests/bench/simulate.mjs 10 SEED` shows what was done. */
const firstSeed = rounds('SIMULATION_SEED', 1, 1 + Math.floor(Math.random() * 1_000_000));
const daysPerWorld = rounds('SIMULATED_DAYS', 2, 10);

const seeds = Array.from({ length: rounds('SIMULATED_WORLDS', 1, 5) }, (_, world) => firstSeed + world);

test.each(seeds)('no invariant is violated, whatever is cut off when: seed %i', async (seed) => {
  expect((await simulate(seed, daysPerWorld)).violation).toBeNull();
});

test('a seed does the same again', async () => {
  const [first, again] = [await simulate(3, 2), await simulate(3, 2)];
  expect(again.trace).toEqual(first.trace);
  expect(first.trace.filter((line) => line.includes(', cut after')).length).toBeGreaterThan(0);
});

/** What each invariant is there for. */
const defects: [name: string, violated: RegExp, defect: Defect][] = [
  [
    'a changed day that is not counted anew',
    /is not its recount$/,
    { sql: trigger('dirty_day', 'insert', 'new.id % 10 = 0', 'null') },
  ],
  [
    'a delivery that is acknowledged although it could not be stored',
    /was acknowledged and is lost$/,
    {
      change({ app: { services } }) {
        const { receive } = services.webhooks;
        services.webhooks = { receive: (event) => receive(event).catch(() => ({ kind: 'skipped' })) };
      },
    },
  ],
  [
    'an email of which it is not recorded that it was sent',
    /was sent twice$/,
    { sql: trigger('alert_events', 'update', `new.delivery_status = 'sent' and new.id % 3 = 0`, 'old') },
  ],
  [
    'answers read with the token of the service instead of the reader',
    /shows bo what bo may not see$/,
    {
      change({ app: { services } }) {
        const { connect } = services;
        services.connect = (_token, options) => connect('token-ann', options);
      },
    },
  ],
];

if (isThorough)
  test.each(defects)('finds %s within 100 days', async (_name, violated, defect) => {
    const violations: string[] = [];
    for (let seed = 1; violations.length === 0 && seed <= 100 / daysPerWorld; seed++) {
      const { violation } = await simulate(seed, daysPerWorld, defect);
      if (violation) violations.push(violation);
    }
    expect(violations).toEqual([expect.stringMatching(violated)]);
  });

test('a process that loses its connection while it starts ends, and the next one starts', async () => {
  const deployment = await startDeployment();
  for (let after = 0; after < 20; after++) {
    await deployment.restart({ after, isHandled: after % 2 === 0, kills: false });
    expect((await deployment.service.ask('GET', '/api/ready')).status).toBe(200);
  }
  await deployment.close();
});

/** Lets a row of a table that fits be stored as another one, or not at all. */
function trigger(table: string, event: 'insert' | 'update', condition: string, row: 'null' | 'old'): string {
  return `
    create function spoil() returns trigger language plpgsql as $$ begin return ${row}; end $$;
    create trigger spoil before ${event} on ${table} for each row when (${condition}) execute function spoil();`;
}
