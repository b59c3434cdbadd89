import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Evaluated } from '../../server/store/alert-events.ts';
import type { AlertRule } from '../../server/store/alert-rules.ts';
import type { Database } from '../../server/store/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { eachDatabase } from '../support/database.ts';
import { day, hour, noon, track } from './world.ts';

const midnight = noon - 12 * hour;
const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: noon };
/** The last of 30 days, and none before. */
const lately = (...last: (number | null)[]) => [...Array.from({ length: 30 - last.length }, () => null), ...last];

eachDatabase((given) => {
  describe('the highest value of each day', () => {
    let store: Store;
    let database: Database;
    let repoId: number;
    let rule: AlertRule;
    let number = 0;
    beforeAll(async () => {
      ({ store, database } = await given.openRaw());
    });
    // A repository of its own for each test.
    beforeEach(async () => {
      repoId = await track(store, ++number);
      rule = await added(`octo/repo-${number}`);
    });

    async function added(scopeKey: string): Promise<AlertRule> {
      const isOrg = !scopeKey.includes('/');
      const values = {
        ...({ scope: `${isOrg ? 'org' : 'repo'}:${scopeKey}`, scopeKey, scopeKind: isOrg ? 'org' : 'repo' } as const),
        metric: 'failure_rate',
        threshold: 50,
        windowHours: 24,
        minSample: null,
        channel: 'browser' as const,
        destination: null,
        ownerNote: null,
        runbookUrl: null,
      };
      const made = await store.alertRules.create(values, by);
      if (!made) throw new Error('There are too many rules.');
      return made.rule;
    }
    const tell = (value: number | null, now = noon, more: Partial<Evaluated> = {}) => {
      const isReported = value !== null;
      const judged = { breaching: isReported && value >= 50, isBelow: isReported && value < 50 };
      const about = {
        rule,
        repoId,
        quietHours: rule.windowHours,
        value,
        sample: 9,
        incomplete: null,
        details: {},
        source: 'sync' as const,
        now,
      };
      return store.alertEvents.record({ ...about, ...judged, ...more }, () => Promise.resolve());
    };
    const days = async (now = noon, id = rule.id) => (await store.alertRules.days([id], now))[0]?.highest;
    const rows = () =>
      database.query('select day::text from alert_rule_days where rule_id = $1 order by day', [rule.id]);

    test('is stored unrounded, whatever comes before and after, breaching or not', async () => {
      await tell(40, noon - day);
      for (const value of [20, 200 / 3, 10]) await tell(value);
      expect(await days()).toEqual(lately(40, 200 / 3));
      expect(await rows()).toHaveLength(2);
    });

    test('is forgotten when the window changes, and by no other change', async () => {
      await tell(40);
      await store.alertRules.change(rule.id, { threshold: 60, minSample: 7 }, by);
      expect(await days()).toEqual(lately(40));
      await store.alertRules.change(rule.id, { windowHours: 48 }, by);
      expect(await days()).toEqual(lately());
    });

    test('is that of all that are reported at once', async () => {
      await Promise.all([3, 17, 9, 21, 5, 20, 1, 12].map((value) => tell(value)));
      expect(await days()).toEqual(lately(21));
    });

    test('a day begins at midnight UTC', async () => {
      await tell(30, midnight - 1);
      await tell(20, midnight);
      expect(await days(midnight - 1)).toEqual(lately(30));
      expect(await days(midnight)).toEqual(lately(30, 20));
      expect(await days(midnight + 29 * day - 1)).toEqual([30, 20, ...lately().slice(2)]);
      expect(await days(midnight + 29 * day)).toEqual([20, ...lately().slice(1)]);
    });

    test('what is not known, or of too small a sample, was not reported; a zero was', async () => {
      await tell(null, noon - day);
      await tell(90, noon - day, { breaching: false, sample: 2 });
      expect(await days()).toEqual(lately());
      await tell(0, noon, { sample: 0 });
      expect(await days()).toEqual(lately(0));
    });

    test('nothing is stored of a rule that was switched off meanwhile, and what was reported stays', async () => {
      await tell(30);
      await store.alertRules.change(rule.id, { enabled: false }, by);
      await tell(90);
      expect(await days()).toEqual(lately(30));
    });

    test('a rule that is deleted while it is evaluated takes its days along', async () => {
      await tell(30);
      let meanwhile: Promise<number | null> | undefined;
      await database.transaction(async ({ query }) => {
        await query('delete from alert_rules where id = $1', [rule.id]);
        meanwhile = tell(90);
        if (given.name === 'postgresql') await vi.waitFor(async () => expect(await blocked()).toHaveLength(1), 60_000);
      });
      expect(await meanwhile).toBeNull();
      expect(await rows()).toEqual([]);
      expect(await store.alertEvents.list(9, rule.scopeKey)).toEqual([]);
    });

    test('of an organization it is that of the repository where it was highest', async () => {
      const other = await track(store, number + 100);
      rule = await added('octo');
      await tell(30);
      await tell(60, noon + 1, { repoId: other });
      await tell(5, noon + day, { repoId: other });
      expect(await days(noon + day)).toEqual(lately(60, 5));
    });

    test('what stands for all repositories is the highest that could be judged', async () => {
      const other = await track(store, number + 200);
      // A new one, without what other tests found of the organization.
      await store.alertRules.remove((await added('octo')).id, by);
      rule = await added('octo');
      await tell(100, noon, { sample: 1, breaching: false, isBelow: false });
      await tell(60, noon, { repoId: other });
      const status = async (repoIds: number[] | null = null) =>
        (await store.alertRules.statuses([{ id: rule.id, freshSince: 0 }], repoIds))[0];
      expect(await status()).toMatchObject({ lastValue: 60, lastSample: 9, lastJudged: true });
      expect(await status([repoId])).toMatchObject({
        lastValue: 100,
        lastSample: 1,
        lastJudged: false,
        lastFiredAt: null,
      });
      expect(await status([])).toBeUndefined();
      expect((await store.alertRules.days([rule.id], noon, [repoId]))[0]?.highest).toEqual(lately());
    });

    test('a value of what is no longer watched is not shown, and that it was evaluated is', async () => {
      await store.alertRules.remove((await added('octo')).id, by);
      rule = await added('octo');
      const [gone, untracked, moved, watched] = await Promise.all(
        [300, 400, 500, 600].map((n) => track(store, number + n)),
      );
      for (const [index, one] of [gone, untracked, moved, watched].entries())
        await tell(90 - index, noon - index, { repoId: one as number });
      const status = async () => (await store.alertRules.statuses([{ id: rule.id, freshSince: 0 }]))[0];
      expect(await status()).toMatchObject({ lastValue: 90, lastEvaluatedAt: noon });
      await database.query('update repos set unreachable_since = now() where id = $1', [gone]);
      expect(await status()).toMatchObject({ lastValue: 89 });
      await database.query('update repos set tracked = false where id = $1', [untracked]);
      expect(await status()).toMatchObject({ lastValue: 88 });
      await database.query(`update repos set owner = 'Else', owner_key = 'else' where id = $1`, [moved]);
      expect(await status()).toMatchObject({ lastValue: 87, lastSample: 9 });
      await database.query('update repos set tracked = false where id = $1', [watched]);
      expect(await status()).toMatchObject({ lastValue: null, lastSample: null, lastEvaluatedAt: noon });
      expect((await status())?.lastFiredAt).toBe(noon);
    });

    test('a value that was not evaluated lately is not shown, and that it was evaluated is', async () => {
      const other = await track(store, number + 700);
      await store.alertRules.remove((await added('octo')).id, by);
      rule = await added('octo');
      await tell(90, noon);
      await tell(20, noon + 1, { repoId: other });
      const status = async (freshSince: number) => (await store.alertRules.statuses([{ id: rule.id, freshSince }]))[0];
      expect(await status(noon)).toMatchObject({ lastValue: 90 });
      expect(await status(noon + 1)).toMatchObject({ lastValue: 20, lastSample: 9 });
      const none = { lastValue: null, lastSample: null, lastEvaluatedAt: noon + 1, lastFiredAt: noon };
      expect(await status(noon + 2)).toMatchObject(none);
    });

    test('each rule is reported by itself, and one without values too', async () => {
      const [first, second] = [rule, await added('octo-2')];
      await tell(30);
      rule = second;
      await tell(7);
      const third = await added('octo/without');
      const reported = await store.alertRules.days([first.id, second.id, third.id], noon);
      expect(new Map(reported.map(({ ruleId, highest }) => [ruleId, highest]))).toEqual(
        new Map([
          [first.id, lately(30)],
          [second.id, lately(7)],
          [third.id, lately()],
        ]),
      );
      expect(await store.alertRules.days([], noon)).toEqual([]);
    });

    test('goes after forty days', async () => {
      for (const age of [41, 40, 0]) await tell(30, midnight - age * day);
      const purge = () => store.purge(midnight, { runDays: 400, mayContinue: () => true });
      expect(await purge()).toEqual({ rows: { alert_rule_days: 1 }, complete: true });
      expect(await rows()).toEqual([{ day: '2026-01-29' }, { day: '2026-03-10' }]);
      expect(await purge()).toEqual({ rows: {}, complete: true });
    });

    const blocked = () =>
      database.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  });
});
