import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, createCalendar } from '../../../server/metrics/people/workday-hours.ts';
import { storedService } from '../../api/stored.ts';
import { randomOf } from '../../metrics/worlds.ts';
import { eachDatabase } from '../../support/database.ts';
import { rounds } from '../../support/rounds.ts';
import { costlyRepository } from '../workflow-cost/costly-repository.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

// biome-ignore lint/suspicious/noExplicitAny: figures are looked into freely.
type Row = Record<string, any>;

const zones = ['UTC', 'Asia/Saigon', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'];
const endings = ['success', 'success', 'failure', 'timed_out', 'cancelled', 'skipped'];
const runCount = 120;
const costFields = ['cost', 'wasted', 'cost_sample', 'completed_runs', 'unknown_jobs'];

const questions = fc.record({
  zone: fc.constantFrom(...zones),
  range: fc.oneof(
    fc.constantFrom('7', '30', '90', 'quarter'),
    fc
      .tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 40 }))
      .map(([ago, length]): [ago: number, length: number] => [ago, length]),
  ),
  minutes: fc.integer({ min: 1, max: 180 }),
});

const sum = (rows: Row[], field: string) => rows.reduce((total, row) => total + (row[field] ?? 0), 0);

eachDatabase((database) => {
  // The questions of one session take longer than a session usually lasts.
  const visit = storedService(database, { SESSION_TTL_HOURS: '720' });

  test('the days of CI, cost and a workflow sum up to the figures beside them', async () => {
    const { clock, double, app } = visit.service;
    const run = costlyRepository(visit.service);
    const begun = clock.now();
    for (let id = 1; id <= runCount; id++) {
      const random = randomOf(id);
      const createdAt = begun - Math.floor(random() * (id % 3 === 0 ? 8 : 130) * day);
      const isOver = random() < 0.9;
      const conclusion = isOver ? endings[Math.floor(random() * endings.length)] : null;
      run(
        id,
        { createdAt, status: isOver ? 'completed' : 'in_progress', conclusion },
        { minutes: 1 + id, ...(id % 7 === 0 && { label: 'unheard-of' }) },
      );
    }
    await visit.sync('owner=octo&repo=costly');
    const query = 'owner=octo&repo=costly&workflow_id=9001';
    // Jobs are stored when costs are opened; those of the oldest runs stay unknown.
    await visit.service.ask('GET', `/api/codehost/workflow-cost?${query}&per_page=100`, { as: 'token-ann' });
    const seen = { partial: 0, counted: 0 };
    await fc.assert(
      fc.asyncProperty(questions, async ({ zone, range: asked, minutes }) => {
        clock.advance(minutes * minute);
        await app.services.store?.settings.put('team', {
          value: { timezone: zone, start: 9, end: 17 },
          by: { actor: { id: 101, login: 'ann' }, requestId: null, now: clock.now() },
        });
        const calendar = createCalendar(zone);
        const range = typeof asked === 'string' ? asked : toDays(asked, calendar.getDay(clock.now()));
        const about = `repo=octo/costly&range=${range}`;
        const [ci, cost, workflow] = await Promise.all([
          visit.ask(`workflows?${about}`),
          visit.ask(`cost?${about}&by=day`),
          visit.ask(`workflow-durations?${query}&range=${range}`),
        ]);
        for (const { status, body } of [ci, cost, workflow])
          expect([status, body.window, body.timezone]).toEqual([200, ci.body.window, zone]);
        const { totals } = cost.body;
        expect(sum(ci.body.days, 'runs')).toBe(ci.body.totals.duration_sample);
        const known = ({ body }: { body: Row }) =>
          body.days.map((day: Row) => costFields.map((field) => [day.date, field, day[field]]));
        expect(known(ci)).toEqual(known(cost));
        const others = Object.keys(ci.body.days[0]).filter((field) => !costFields.includes(field));
        expect(workflow.body.days).toEqual(
          ci.body.days.map((day: Row) => Object.fromEntries(others.map((field) => [field, day[field]]))),
        );
        expect(sum(ci.body.days, 'run_time_ms')).toBe(ci.body.totals.run_time_ms ?? 0);
        expect(workflow.body.sample).toBe(ci.body.totals.duration_sample);
        expect(totals.completed_runs).toBe(ci.body.totals.completed_runs);
        for (const days of [cost.body.days, cost.body.rows]) {
          expect(sum(days, 'completed_runs')).toBe(totals.completed_runs ?? 0);
          expect(sum(days, 'cost_sample')).toBe(totals.cost_sample);
          expect(sum(days, 'unknown_jobs')).toBe(totals.unknown_jobs);
        }
        const from = Date.parse(ci.body.window.from);
        const to = Date.parse(ci.body.window.to);
        const isCut = (date: string) => from > calendar.getStart(date) || to < calendar.getStart(addDays(date, 1)) - 1;
        const dates = calendar.daysBetween(from, to);
        for (const { body } of [ci, cost, workflow])
          expect(body.days.map(({ date, partial }: Row) => [date, partial])).toEqual(
            dates.map((date) => [date, isCut(date)]),
          );
        for (const { name, partial } of cost.body.rows) expect([name, partial]).toEqual([name, isCut(name)]);
        seen.counted += totals.completed_runs ?? 0;
        seen.partial += ci.body.days.findIndex(({ partial }: Row) => partial) === 0 ? 1 : 0;
      }),
      { numRuns: rounds('DAY_SUMS', 6, 150), seed: 11 },
    );
    expect(seen.counted).toBeGreaterThan(100);
    expect(seen.partial).toBeGreaterThan(3);
    double.reset();
  });
});

const toDays = ([ago, length]: [number, number], today: string) =>
  `${addDays(today, -ago - length)}..${addDays(today, -ago)}`;
