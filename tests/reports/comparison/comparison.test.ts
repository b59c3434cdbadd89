import { beforeAll, describe, expect, test } from 'vitest';
import { comparedMetrics } from '../../../server/reports/comparison/metrics.ts';
import type { Store } from '../../../server/store/orm.ts';
import { expectFields, expectProblem } from '../../api/endpoints.ts';
import { storedService } from '../../api/stored.ts';
import { run } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const web = 'owner=octo&repo=web';
const five = comparedMetrics.slice(0, 5).join();
const three = comparedMetrics.slice(5).join();

aDatabase((database) => {
  const visit = storedService(database, { SESSION_TTL_HOURS: '720' });
  const { sync, ask } = visit;
  const storeOf = () => visit.service.app.services.store as Store;
  const compare = async (query: string, as?: string) => (await ask(`compare?${query}`, as)).body;
  const first = async (query: string, as?: string) => (await compare(query, as)).metrics[0];
  const people = (range: string) =>
    visit.service.ask('GET', `/api/codehost/repo-contributors?${web}&days=${range}`, { as: 'token-ann' });

  describe('of what was never synchronized', () => {
    test('nothing is known, which is no 0', async () => {
      const { metrics, repos_included, repos_visible } = await compare(`${web}&metrics=runs,merged`);
      expect([repos_included, repos_visible]).toEqual([0, 1]);
      for (const { a, b, difference, verdict } of metrics) {
        for (const side of [a, b])
          expect(side).toMatchObject({
            value: null,
            n: 0,
            low_sample: true,
            interval: null,
            missing: 'not_stored',
            as_of: null,
            coverage: { complete: false, expected: 1, read: 0, reasons: ['not_synced'] },
          });
        expect(difference).toEqual({ absolute: null, relative_pct: null, interval: null });
        expect(verdict).toBe('not_enough_data');
      }
    });
  });

  describe('two periods', () => {
    beforeAll(async () => {
      await sync(web);
      await people('90');
    });

    test('have the values that other reports have of the same windows', async () => {
      const [{ metrics, generated_at }, workflows, overview] = await Promise.all([
        compare(`${web}&metrics=${five}&days=30`),
        ask('workflows?repo=octo/web&range=30'),
        compare(`${web}&metrics=${three}&days=30`),
      ]);
      const { totals, window } = workflows.body;
      const values = Object.fromEntries(
        metrics.map(({ metric, b }: { metric: string; b: { value: number; n: number } }) => [metric, [b.value, b.n]]),
      );
      expect(metrics.map(({ metric }: { metric: string }) => metric)).toEqual(five.split(','));
      // Up to what was read, minutes ago, of which nothing happened since.
      expect(Date.parse(window.to) - Date.parse(metrics[0].b.window.to)).toBeLessThan(5 * minute);
      expect(generated_at).toBe(metrics[0].b.window.to);
      expect(values).toMatchObject({
        runs: [totals.runs, totals.runs],
        duration_p50: [totals.median_ms, totals.duration_sample],
      });
      expect(Math.round(100 - ((values.success_rate as number[])[0] ?? Number.NaN))).toBe(totals.failure_rate);
      expect((values.success_rate as number[])[1]).toBe(totals.failure_rate_sample);
      expect((values.queue_p95 as number[])[1]).toBe(totals.queue_wait_sample);
      const org = (await ask('overview?org=octo&range=30')).body;
      const merged = overview.metrics.find(({ metric }: { metric: string }) => metric === 'merged');
      expect(merged.b).toMatchObject({ value: org.figures.prs_merged, n: org.figures.prs_merged });
    });

    test('have the times of pull requests that their pages have', async () => {
      const [{ metrics }, delivery, open] = await Promise.all([
        compare(`${web}&metrics=lead_time,first_review&days=90`),
        visit.service.ask('GET', `/api/codehost/repo-dora?${web}`, { as: 'token-ann' }),
        visit.service.ask('GET', `/api/codehost/open-pr-health?${web}`, { as: 'token-ann' }),
      ]);
      const [lead, review] = metrics;
      const { median_ms, sample_size } = delivery.body.lead_time;
      expect([lead.b.value, lead.b.n]).toEqual([median_ms, sample_size]);
      expect(Math.round((10 * review.b.value) / hour) / 10).toBe(open.body.time_to_first_review_p50_hours);
      expect(review.b.n).toBe(open.body.time_to_first_review_sample);
      // What was before is not stored.
      expect(lead.a).toMatchObject({ value: null, missing: 'not_stored', coverage: { reasons: ['begin_missing'] } });
      expect([lead.verdict, lead.difference.absolute]).toEqual(['not_enough_data', null]);
    });

    test('of few items are not compared; a count of few beside many is', async () => {
      const [success, runs] = (await compare(`${web}&metrics=success_rate,runs&days=7`)).metrics;
      expect(Math.min(success.a.n, success.b.n)).toBeLessThan(5);
      expect([success.verdict, success.difference.interval]).toEqual(['not_enough_data', null]);
      expect(Math.min(runs.a.n, runs.b.n)).toBeLessThan(5);
      expect([runs.verdict, runs.difference.absolute]).toEqual(['higher', runs.b.value - runs.a.value]);
    });
  });

  describe('where a workflow became slow and fails', () => {
    let now: number;
    beforeAll(async () => {
      const store = storeOf();
      const [{ id = 0 } = {}] = await store.repositories.tracked('octo');
      now = (await store.cursors.get(id))?.syncedThrough ?? 0;
      await store.cursors.put(id, { syncedThrough: now, backfilledTo: now - 200 * day, deepAt: null, resume: null });
      // Of 20 to 36 minutes in the last 30 days, and before of 10 to 14 of which none fails, two a day.
      const made = Array.from({ length: 120 }, (_, index) => {
        const createdAt = now - 59.5 * day + (index * day) / 2;
        const isLate = index >= 60;
        const length = (isLate ? 20 + 2 * (index % 9) : 10 + (index % 5)) * minute;
        const times = { createdAt, startedAt: createdAt + minute, updatedAt: createdAt + minute + length };
        return run(800_000 + index, { ...times, conclusion: isLate && index % 2 === 0 ? 'failure' : 'success' });
      });
      await store.runs.ingest(id, made, { syncedAt: now });
      await store.runs.recomputeDirty();
    });

    test('the verdict says so, with intervals on both sides', async () => {
      const { metrics, data_source, timezone } = await compare(`${web}&metrics=${five}&days=30`);
      expect([data_source, timezone]).toEqual(['database', 'Asia/Saigon']);
      const [success, median, slow, queue, runs] = metrics;
      expect(success).toMatchObject({ verdict: 'lower', better: 'higher', a: { unit: 'percent' } });
      expect(median).toMatchObject({ verdict: 'higher', better: 'lower', a: { unit: 'milliseconds' } });
      expect(slow.verdict).toBe('higher');
      expect(queue.verdict).toBe('no_difference_shown');
      expect(runs).toMatchObject({ verdict: 'no_difference_shown', better: 'neither', a: { unit: 'count' } });
      for (const { a, b, difference } of metrics) {
        for (const { value, interval, coverage, low_sample, missing } of [a, b]) {
          expect(interval).toMatchObject({ level: 0.95 });
          expect(interval.low).toBeLessThanOrEqual(value);
          expect(interval.high).toBeGreaterThanOrEqual(value);
          expect(coverage).toEqual({ complete: true, expected: 1, read: 1, cap: null, reasons: [] });
          expect([low_sample, missing]).toEqual([false, null]);
        }
        expect(difference.absolute).toBeCloseTo(b.value - a.value, 2);
      }
      expect(median.difference.relative_pct).toBeCloseTo((100 * median.difference.absolute) / median.a.value, 1);
    });

    test('the periods follow each other without a gap', async () => {
      const { a, b } = await first(`${web}&metrics=runs&days=7`);
      expect(Date.parse(b.window.to)).toBe(now);
      expect(Date.parse(b.window.to) - Date.parse(b.window.from)).toBe(7 * day);
      expect(Date.parse(b.window.from) - Date.parse(a.window.to)).toBe(1);
      expect(Date.parse(b.window.from) - Date.parse(a.window.from)).toBe(7 * day);
    });

    test('30 days are meant where nothing is said, and equal questions have equal answers later on', async () => {
      const told = await compare(`${web}&metrics=${five}&days=30`);
      expect(await compare(`${web}&metrics=${five}`)).toEqual(told);
      visit.service.clock.advance(20 * minute);
      expect(await compare(`${web}&metrics=${five}`)).toEqual(told);
      expect((await compare(`owner=OCTO&repo=Web&metrics=${five}`)).metrics).toEqual(told.metrics);
    });

    test('days of one’s own are whole days, and the longer period is not the larger one', async () => {
      const days = 'a_from=2026-09-20&a_to=2026-09-26&b_from=2026-09-27&b_to=2026-10-10';
      const { a, b, difference, verdict } = await first(`${web}&metrics=runs&${days}`);
      expect([a.window, b.window]).toEqual([
        { from: '2026-09-19T17:00:00.000Z', to: '2026-09-26T16:59:59.999Z' },
        { from: '2026-09-26T17:00:00.000Z', to: '2026-10-10T16:59:59.999Z' },
      ]);
      expect(b.value).toBeGreaterThan(a.value);
      expect(difference.absolute).toBeCloseTo(b.value - 2 * a.value, 1);
      expect(verdict).toBe('no_difference_shown');
      const swapped = 'a_from=2026-09-27&a_to=2026-10-10&b_from=2026-09-20&b_to=2026-09-26';
      const other = await first(`${web}&metrics=runs&${swapped}`);
      expect([other.a.value, other.b.value]).toEqual([b.value, a.value]);
    });

    test('a table has a row for each metric', async () => {
      const { text } = await ask(`compare?${web}&metrics=success_rate,runs&format=csv`);
      const [header, ...rows] = text.trim().split('\r\n');
      expect(header?.replace(/^\uFEFF/, '')).toBe(
        'metric,unit,a_from,a_to,a,a_n,a_low,a_high,a_complete,a_as_of,b_from,b_to,b,b_n,b_low,b_high,b_complete,b_as_of,' +
          'difference,difference_pct,difference_low,difference_high,verdict',
      );
      expect(rows).toHaveLength(2);
      expect(rows[0]).toMatch(/^success_rate,percent,.*,lower$/);
    });
  });

  describe('of an organization', () => {
    beforeAll(async () => {
      await sync('owner=octo&repo=secret');
    });

    test('a synchronized repository of which not all is stored forbids a verdict, and is not counted', async () => {
      const { metrics, repos_included, repos_visible } = await compare('owner=octo&metrics=merged,runs&days=30');
      expect([repos_included, repos_visible]).toEqual([2, 9]);
      const [merged] = metrics;
      expect(merged.verdict).toBe('not_enough_data');
      expect(merged.b.coverage).toMatchObject({ complete: false, expected: 9, read: 1 });
      expect(merged.b.coverage.reasons.sort()).toEqual(['not_synced', 'not_yet_read']);
      expect(merged.b.value).toBe((await first(`${web}&metrics=merged&days=30`)).b.value);
    });

    test('what the caller may not see does not count, and by its name is not found', async () => {
      expect((await compare('owner=octo&metrics=runs', 'token-bo')).repos_included).toBe(1);
      expectProblem(await ask('compare?owner=octo&repo=secret&metrics=runs', 'token-bo'), 404, 'not_found');
      expectProblem(await ask('compare?owner=nobody&metrics=runs'), 404, 'not_found');
      expect((await ask('compare?owner=ann&metrics=runs')).status).toBe(200);
    });
  });

  describe('facts that were not read lately', () => {
    test('end the period where they were read up to, and are not enough after a missed night', async () => {
      visit.service.clock.advance(20 * hour);
      const known = await first(`${web}&metrics=success_rate`);
      expect(known.verdict).toBe('lower');
      expect(known.b.window.to).toBe(known.b.as_of);
      visit.service.clock.advance(20 * hour);
      const late = await first(`${web}&metrics=success_rate`);
      expect(late.verdict).toBe('not_enough_data');
      expect(late.b.coverage).toMatchObject({ complete: false, read: 0, reasons: ['end_missing'] });
      expect(late.a.value).not.toBeNull();
    });
  });

  describe('is refused', () => {
    const refuses = async (query: string, ...fields: Parameters<typeof expectFields>[1][]) =>
      expectFields(await ask(`compare?${web}&metrics=runs&${query}`), ...fields);

    test('what is no period', async () => {
      const september = 'a_from=2026-09-01&a_to=2026-09-30';
      const october = 'b_from=2026-10-01&b_to=2026-10-31';
      await refuses(`${september}`, ['b_from', 'missing'], ['b_to', 'missing']);
      await refuses(`${september}&${october}&days=30`, ['days', 'invalid']);
      await refuses(`a_from=2026-09-30&a_to=2026-09-01&${october}`, ['a_to', 'invalid']);
      await refuses(`a_from=2026-03-01&a_to=2026-08-28&${october}`, ['a_to', 'invalid']);
      await refuses(`${september}&b_from=2026-09-30&b_to=2026-10-31`, ['b_from', 'invalid']);
      expect((await ask(`compare?${web}&metrics=runs&a_from=2026-03-01&a_to=2026-08-27&${october}`)).status).toBe(200);
    });

    test('a day that is not over in the zone of the team', async () => {
      const today = new Date(visit.service.clock.now() + 7 * hour).toISOString().slice(0, 10);
      const answer = await ask(
        `compare?${web}&metrics=runs&a_from=2026-09-01&a_to=2026-09-30&b_from=2026-10-01&b_to=${today}`,
      );
      expectFields(answer, ['b_to', 'invalid']);
      expect(answer.text).toContain('Asia/Saigon');
    });
  });
});
