import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { alertEvaluation } from '../../jobs/alert-evaluation.ts';
import { evaluateAlerts } from '../../server/alerts/evaluate.ts';
import { measureRule } from '../../server/alerts/measure-rule.ts';
import type { PullRequest } from '../../server/metrics/kernel/delivery-facts.ts';
import type { AlertRuleValues } from '../../server/store/alert-rules.ts';
import { delivered, runEvent, webhookSecret } from '../codehost-double/webhook.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { aPullRequest } from '../metrics/delivery-builders.ts';
import { readBackTo } from '../store/world.ts';
import { aDatabase } from '../support/a-database.ts';
import { type Service, startService } from '../support/service.ts';
import { keepPullRequests } from './kept-pull-requests.ts';
import { addRule, bring, endedRuns, repository, servicesOf } from './stage.ts';

const minute = 60_000;
const hour = 60 * minute;

aDatabase((given) => {
  describe('evaluating rules', () => {
    let service: Service;
    let services: ReturnType<typeof servicesOf>;
    let number = 0;
    beforeAll(async () => {
      const url = await given.migrated();
      service = await startService({ DATABASE_URL: url, CODEHOST_WEBHOOK_SECRET: webhookSecret });
      services = servicesOf(service.app);
    });
    afterAll(() => service?.close());
    // A repository of its own for each test.
    beforeEach(() => number++);
    const watch = (more: Partial<AlertRuleValues> = {}) =>
      addRule(services, { scope: `repo:octo/repo-${number}`, ...more });
    const ended = (count: number, failed: number) => bring(services, endedRuns(services, count, failed), number);
    const by = { actor: { id: 101, login: 'ann' }, requestId: null, now: 0 };
    const remove = (id: number) => services.store.alertRules.remove(id, by);
    const events = async (key = `octo/repo-${number}`) => services.store.alertEvents.list(50, key);

    test('a rule fires at its threshold, and not below it; the value is not rounded first', async () => {
      await watch({ threshold: 33.34 });
      await watch({ threshold: 33.33 });
      expect(await ended(6, 2)).toEqual({ evaluated: 2, fired: 1 });
      const [event, ...others] = await events();
      expect(others).toEqual([]);
      expect(event).toMatchObject({
        scope: `repo:octo/repo-${number}`,
        repo: `Octo/repo-${number}`,
        metric: 'failure_rate',
        threshold: 33.33,
        sampleSize: 6,
        source: 'sync',
        deliveryStatus: 'none',
        resolvedAt: null,
        isTest: false,
      });
      expect(event?.value).toBeCloseTo(100 / 3, 10);
    });

    test('too few runs say nothing, whatever the threshold', async () => {
      await watch({ threshold: 0 });
      await watch({ threshold: 0, windowHours: 25, minSample: 20 });
      expect(await ended(4, 4)).toEqual({ evaluated: 2, fired: 0 });
      expect(await ended(1, 0)).toEqual({ evaluated: 2, fired: 1 });
    });

    test('of many evaluations at once one fires', async () => {
      await watch();
      const results = await Promise.all(Array.from({ length: 8 }, () => ended(6, 6)));
      expect(results.reduce((sum, { fired }) => sum + fired, 0)).toBe(1);
      expect(await events()).toHaveLength(1);
    });

    test('it is silent for its window, then fires again if it still breaches', async () => {
      await watch();
      const fired = async () => (await ended(6, 6)).fired;
      expect(await fired()).toBe(1);
      service.clock.advance(24 * hour - 1);
      expect(await fired()).toBe(0);
      service.clock.advance(1);
      expect(await fired()).toBe(1);
    });

    test('what is read every night fires every night, also where one was read earlier than the night before', async () => {
      await watch({ metric: 'unreviewed_pr_age', threshold: 3 });
      const known = await repository(services, number);
      const createdAt = services.clock.now() - 100 * hour;
      const fired: number[] = [];
      for (const gap of [
        0,
        24 * hour - 50 * minute,
        24 * hour + 50 * minute,
        22 * hour,
        2 * hour,
        24 * hour - minute,
      ]) {
        service.clock.advance(gap);
        const asOf = services.clock.now();
        const reading = { repoId: known.id, codehostId: number, asOf, floor: asOf - 90 * 24 * hour };
        const waiting: Partial<PullRequest> = { state: 'open', createdAt, reviews: [], closedAt: null, mergedAt: null };
        await keepPullRequests(services.store, reading, [aPullRequest({ number: 1, ...waiting })]);
        fired.push((await evaluateAlerts(known, 'pull-requests', 'cron', services)).fired);
      }
      expect(fired).toEqual([1, 1, 1, 0, 1, 1]);
    });

    test('an event is resolved by a value below the threshold, and not by one that cannot be reported', async () => {
      await watch();
      await ended(6, 6);
      service.clock.advance(25 * hour);
      await ended(2, 0);
      expect((await events())[0]?.resolvedAt).toBeNull();
      await ended(6, 0);
      expect((await events())[0]?.resolvedAt).toBe(service.clock.now());
    });

    test('that nobody waits any more ends what fired for somebody who waited', async () => {
      await watch({ metric: 'unreviewed_pr_age', threshold: 3 });
      const known = await repository(services, number);
      const night = (waiting: PullRequest[]) => {
        const asOf = services.clock.now();
        const reading = { repoId: known.id, codehostId: number, asOf, floor: asOf - 90 * 24 * hour };
        return keepPullRequests(services.store, reading, waiting);
      };
      const evaluate = () => evaluateAlerts(known, 'pull-requests', 'cron', services);
      const createdAt = services.clock.now() - 100 * hour;
      await night([aPullRequest({ number: 1, state: 'open', createdAt, reviews: [], closedAt: null, mergedAt: null })]);
      expect(await evaluate()).toEqual({ evaluated: 1, fired: 1 });
      expect((await events())[0]).toMatchObject({ resolvedAt: null, details: { pull_request: 1 } });
      await night([]);
      expect(await evaluate()).toEqual({ evaluated: 1, fired: 0 });
      expect((await events())[0]?.resolvedAt).toBe(services.clock.now());
      const { body } = await service.ask('GET', `/api/alerts?scope=repo:octo/repo-${number}`, { as: 'token-ann' });
      expect(body.rules).toMatchObject([{ last_value: 0, last_sample: 0, has_reached: false }]);
    });

    test('a value of fewer than a minimum that was raised since is not known to be good', async () => {
      const rule = await watch();
      await ended(6, 6);
      // Of many repositories not all are measured by the change.
      for (const threshold of [rule.threshold, 1000]) {
        await services.store.alertRules.change(rule.id, { minSample: 50, threshold }, by);
        const { body } = await service.ask('GET', `/api/alerts?scope=repo:octo/repo-${number}`, { as: 'token-ann' });
        expect(body.rules).toMatchObject([{ last_value: 100, last_sample: 6, min_sample: 50, has_reached: null }]);
      }
    });

    test('each repository of an organization has its own silence', async () => {
      const rule = await watch({ scope: 'org:octo' });
      const other = number + 100;
      expect((await ended(6, 6)).fired).toBe(1);
      expect((await ended(6, 6)).fired).toBe(0);
      expect((await bring(services, endedRuns(services, 6, 6), other)).fired).toBe(1);
      expect((await events('octo')).map(({ repo }) => repo)).toEqual([`Octo/repo-${other}`, `Octo/repo-${number}`]);
      await remove(rule.id);
    });

    test('a repository that nobody tracks is watched by a rule of its own, and by none of its organization', async () => {
      const [own, ofAll] = [await watch(), await watch({ scope: 'org:octo', threshold: 40 })];
      const known = await repository(services, number);
      await services.store.repositories.untrack(known.id);
      await services.store.runs.ingest(known.id, endedRuns(services, 6, 6), { syncedAt: services.clock.now() });
      await readBackTo(services.store, known.id, services.clock.now() - 25 * hour, services.clock.now());
      expect(await evaluateAlerts(known, 'workflow-runs', 'webhook', services)).toEqual({ evaluated: 1, fired: 1 });
      expect(await events()).toMatchObject([{ ruleId: own.id }]);
      await repository(services, number);
      expect(await evaluateAlerts(known, 'workflow-runs', 'webhook', services)).toEqual({ evaluated: 2, fired: 1 });
      await remove(ofAll.id);
    });

    test('a rule that is off or muted is not measured; of a deleted one the events stay', async () => {
      const rule = await watch();
      const { alertRules } = services.store;
      await alertRules.change(rule.id, { enabled: false }, by);
      expect((await ended(6, 6)).evaluated).toBe(0);
      await alertRules.change(rule.id, { enabled: true, mutedUntil: services.clock.now() + hour }, by);
      expect((await ended(6, 6)).evaluated).toBe(0);
      service.clock.advance(hour);
      expect((await ended(6, 6)).fired).toBe(1);
      await remove(rule.id);
      expect(await events()).toMatchObject([{ ruleId: null, metric: 'failure_rate', threshold: 50 }]);
    });

    test('a rule that is switched off, muted or deleted while it is measured does not fire', async () => {
      const rule = await watch();
      expect((await ended(6, 0)).fired).toBe(0);
      const { alertRules, alertEvents } = services.store;
      const { id: repoId } = await repository(services, number);
      const now = services.clock.now();
      const breach = { value: 90, sample: 9, breaching: true, isBelow: false, incomplete: null, details: {} };
      const fire = () =>
        alertEvents.record({ rule, repoId, quietHours: 24, source: 'sync', now, ...breach }, () => Promise.resolve());
      await alertRules.change(rule.id, { enabled: false }, by);
      expect(await fire()).toBeNull();
      await alertRules.change(rule.id, { enabled: true, mutedUntil: now + hour }, by);
      expect(await fire()).toBeNull();
      const [status] = await alertRules.statuses([{ id: rule.id, freshSince: 0 }]);
      expect(status).toMatchObject({ lastValue: 0, lastFiredAt: null });
      await alertRules.change(rule.id, { mutedUntil: null }, by);
      expect(await fire()).not.toBeNull();
      await remove(rule.id);
      expect(await fire()).toBeNull();
      expect(await events()).toHaveLength(1);
    });

    test.each([{ threshold: 95 }, { windowHours: 48 }, { minSample: 10 }, { destination: 'b@codehost.example' }])(
      'a rule that is given %o while it is measured does not fire by what it was',
      async (change) => {
        const rule = await watch({ channel: 'digest', destination: 'a@codehost.example' });
        const { alertRules, alertEvents } = services.store;
        const { id: repoId } = await repository(services, number);
        const now = services.clock.now();
        const breach = { value: 90, sample: 9, breaching: true, isBelow: false, incomplete: null, details: {} };
        const fire = (measured = rule) =>
          alertEvents.record({ rule: measured, repoId, quietHours: 24, source: 'sync', now, ...breach }, () =>
            Promise.resolve(),
          );
        const changed = await alertRules.change(rule.id, change, by);
        expect(await fire()).toBeNull();
        expect(await alertRules.statuses([{ id: rule.id, freshSince: 0 }])).toEqual([]);
        if (changed === null || changed === 'same') throw new Error('It was not changed.');
        expect(await fire(changed)).not.toBeNull();
        expect((await events()).map(({ threshold, destination }) => ({ threshold, destination }))).toEqual([
          { threshold: changed.threshold, destination: changed.destination },
        ]);
      },
    );

    test('an older evaluation that ends later neither fires, nor ends what fired, nor is shown', async () => {
      const { alertRules, alertEvents } = services.store;
      const rule = await watch();
      expect((await ended(6, 6)).fired).toBe(1);
      const { id: repoId } = await repository(services, number);
      const now = services.clock.now();
      const below = { value: 10, sample: 9, breaching: false, isBelow: true, incomplete: null, details: {} };
      const breach = { ...below, value: 90, breaching: true, isBelow: false };
      const record = (judged: typeof below, at: number) =>
        alertEvents.record({ rule, repoId, quietHours: 1, source: 'sync', now: at, ...judged }, () =>
          Promise.resolve(),
        );
      await record(below, now - 1);
      const [status] = await alertRules.statuses([{ id: rule.id, freshSince: 0 }]);
      expect(status).toMatchObject({ lastValue: 100, lastEvaluatedAt: now });
      expect(await events()).toMatchObject([{ resolvedAt: null }]);
      service.clock.advance(2 * hour);
      await ended(30, 0);
      expect(await record(breach, services.clock.now() - 1)).toBeNull();
      expect(await events()).toMatchObject([{ resolvedAt: services.clock.now() }]);
    });

    test('what fired is open while its rule exists and is on', async () => {
      const { alertRules, alertEvents } = services.store;
      const key = `octo/repo-${number}`;
      const open = async () => {
        const { body } = await service.ask('GET', `/api/alerts?events=1&scope=repo:${key}`, { as: 'token-ann' });
        const shown = body.events.filter((event: { is_open: boolean }) => event.is_open);
        return [await alertEvents.countOpen(0, key), body.open_count, shown.length];
      };
      const rule = await watch();
      await watch({ threshold: 60 });
      expect((await ended(6, 6)).fired).toBe(2);
      expect(await open()).toEqual([2, 2, 2]);
      await alertRules.change(rule.id, { enabled: false }, by);
      expect(await open()).toEqual([1, 1, 1]);
      await alertRules.change(rule.id, { enabled: true }, by);
      expect(await open()).toEqual([2, 2, 2]);
      await remove(rule.id);
      expect(await open()).toEqual([1, 1, 1]);
    });

    test('what webhooks bring is evaluated soon after, and only then', async () => {
      const rule = await watch({ scope: 'repo:octo/web' });
      const web = repositoryOf(service.double.world, 'octo/web');
      const deliver = async (id: number) => {
        const run = service.double.putRun('octo/web', {
          id,
          createdAt: service.clock.now() - 60_000,
          status: 'completed',
          conclusion: 'failure',
        });
        const { body, headers } = delivered(runEvent(web, run), { delivery: `d-${id}` });
        expect((await service.ask('POST', '/api/webhooks/codehost', { body, headers })).status).toBe(200);
      };
      const context = { services, signal: AbortSignal.any([]), mayContinue: () => true, until: Infinity, since: null };
      const evaluated = async () => {
        await services.store.runs.recomputeDirty();
        return (await alertEvaluation.run(context)).summary;
      };
      for (let id = 770_001; id <= 770_006; id++) await deliver(id);
      expect(await events('octo/web')).toEqual([]);
      expect(await evaluated(), 'what else ran in the window was never read').toEqual({ fired: 0 });
      const [status] = await services.store.alertRules.statuses([{ id: rule.id, freshSince: 0 }]);
      const incomplete = 'Runs of this window have not been synced yet.';
      expect(status).toMatchObject({ lastValue: null, incomplete });
      await deliver(770_007);
      await services.store.runs.recomputeDirty();
      const due = await services.store.alertDue.waiting(10);
      expect(due).toHaveLength(1);
      for (const { id } of due) await readBackTo(services.store, id, service.clock.now() - 25 * hour);
      const { leases } = services.store;
      await leases.acquire('alert-evaluation', 'another process');
      expect(await evaluated(), 'another process is at it').toEqual({ fired: 0 });
      expect(await services.store.alertDue.waiting(10)).toHaveLength(1);
      await leases.release('alert-evaluation', 'another process');
      expect(await evaluated()).toEqual({ fired: 1 });
      expect(await events('octo/web')).toMatchObject([{ source: 'webhook', repo: 'octo/web', value: 100 }]);
      expect(await services.store.alertDue.waiting(10)).toEqual([]);
      expect(await evaluated()).toEqual({ fired: 0 });
      await remove(rule.id);
    });

    test('a recount of days evaluates nothing where no webhook tells what has run since', async () => {
      const rule = await watch({ windowHours: 48 });
      expect((await ended(6, 6)).fired).toBe(1);
      service.clock.advance(30 * hour);
      const { store } = services;
      await store.rollups.rebuild('Asia/Tokyo');
      await store.runs.recomputeDirty();
      expect((await store.alertDue.waiting(500)).map(({ repo }) => repo)).toContain(`repo-${number}`);
      const context = { services, signal: AbortSignal.any([]), mayContinue: () => true, until: Infinity, since: null };
      await alertEvaluation.run(context);
      expect(await store.alertDue.waiting(500)).toEqual([]);
      const [status] = await store.alertRules.statuses([{ id: rule.id, freshSince: 0 }]);
      expect(status?.lastEvaluatedAt).toBe(service.clock.now() - 30 * hour);
    });

    test('a rule that is saved is measured as of when its facts were read', async () => {
      const known = await repository(services, number);
      const asOf = services.clock.now();
      const reading = { repoId: known.id, codehostId: number, asOf, floor: asOf - 90 * 24 * hour };
      const waiting: Partial<PullRequest> = { state: 'open', reviews: [], closedAt: null, mergedAt: null };
      const open = aPullRequest({ number: 1, createdAt: asOf - 100 * hour, ...waiting });
      await keepPullRequests(services.store, reading, [open]);
      await services.store.pullRequestCommits.readThrough(known.id, asOf - hour);
      service.clock.advance(10 * hour);
      // Somebody may have looked at it this morning.
      const saved = await watch({ metric: 'unreviewed_pr_age', threshold: 105 / 24 });
      const ofCommits = await watch({ metric: 'oversized_commit_pct' });
      for (const rule of [saved, ofCommits]) await measureRule(rule, services);
      const statuses = [saved, ofCommits].map(({ id }) => ({ id, freshSince: 0 }));
      expect(
        new Map((await services.store.alertRules.statuses(statuses)).map((one) => [one.ruleId, one])),
      ).toMatchObject(
        new Map([
          [saved.id, { lastEvaluatedAt: asOf, lastValue: 100 / 24 }],
          [ofCommits.id, { lastEvaluatedAt: asOf - hour }],
        ]),
      );
      await evaluateAlerts(known, 'pull-requests', 'cron', services);
      await measureRule(saved, services);
      const [evaluated] = await services.store.alertRules.statuses([{ id: saved.id, freshSince: 0 }]);
      expect(evaluated?.lastEvaluatedAt).toBe(services.clock.now());
    });

    test('without any rule nothing waits to be evaluated', async () => {
      for (const { id } of await services.store.alertRules.list()) await remove(id);
      const { id } = await repository(services, number);
      await services.store.runs.ingest(id, endedRuns(services, 6, 6), { syncedAt: services.clock.now() });
      await services.store.runs.recomputeDirty();
      expect(await services.store.alertDue.waiting(10)).toEqual([]);
    });

    test('a synchronization of a person evaluates, and says what fired', async () => {
      await watch({ scope: 'org:octo', threshold: 0, windowHours: 2160 });
      service.double.addRuns('octo/web', 30, {
        from: service.clock.now() - 20 * hour,
        to: service.clock.now() - hour,
        firstId: 880_001,
      });
      const { body } = await service.ask('POST', '/api/db/sync?owner=octo&repo=web', { as: 'token-ann' });
      expect(body).toMatchObject({ alerts_fired: 1, results: [{ repo: 'octo/web', alerts_fired: 1 }] });
      const { body: list } = await service.ask('GET', '/api/alerts?events=1&scope=org:octo', { as: 'token-ann' });
      expect(list.events[0]).toMatchObject({ repo: 'octo/web', source: 'sync', explained_at: '/repos/octo/web' });
      expect(list.rules).toMatchObject([{ health: 'ok', last_value: list.events[0].value }]);
    });
  });
});
