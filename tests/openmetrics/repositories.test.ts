import { describe, expect, onTestFinished, test } from 'vitest';
import { isComplete } from '../../server/facts/fact-repository.ts';
import { ownFamilies } from '../../server/openmetrics/families.ts';
import { refreshRepositoryMetrics } from '../../server/openmetrics/refresh.ts';
import { measureRepositories } from '../../server/openmetrics/repositories.ts';
import { deliveryFamilies } from '../../server/openmetrics/repository-families.ts';
import { sharedFamilies } from '../../server/openmetrics/shared.ts';
import { writeExposition } from '../../server/platform/exposition.ts';
import type { ExposedValue } from '../../server/store/exported-values.ts';
import type { Store } from '../../server/store/orm.ts';
import { storedService } from '../api/stored.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { deliveryWorld } from '../metrics/delivery-worlds.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import type { Service } from '../support/service.ts';
import { lint, series } from './lint.ts';

const token = 'q7RmZ2xLw9TgYb4KsVn8JdHc3PfAeUi5';
const env = { METRICS_TOKEN: token, METRICS_REPOSITORIES: 'all', METRICS_WORKFLOWS: 'true' };
const hour = 3_600_000;

const storeOf = ({ app }: Service): Store => {
  if (!app.services.store) throw new Error('no database');
  return app.services.store;
};

const refresh = (service: Service) =>
  refreshRepositoryMetrics({ ...service.app.services, store: storeOf(service) }, () => true);

async function scrape(service: Service): Promise<Map<string, number>> {
  service.clock.advance(1001);
  const { text } = await service.ask('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } });
  expect(lint(text)).toEqual([]);
  return series(text);
}

/** Moves every instant in it. */
function moved<Value>(value: Value, ms: number): Value {
  if (typeof value === 'number') return (value > 1e12 ? value + ms : value) as Value;
  if (Array.isArray(value)) return value.map((one) => moved(one, ms)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, moved(one, ms)])) as Value;
}

const labelSet = (labels: Record<string, string>) =>
  `{${Object.entries({ owner: 'octo', repo: 'web', ...labels })
    .map(([key, value]) => `${key}="${value}"`)
    .join(',')}}`;

eachDatabase((database) => {
  const visit = storedService(database, env);
  /** Facts of a random world in place of what is stored of octo/web; of pull requests all, or the newest. */
  async function fill(seed: number, capped = false) {
    const store = storeOf(visit.service);
    const now = visit.service.clock.now();
    const made = deliveryWorld(seed);
    const world = moved(made, now - made.now);
    const { facts: repository } = repositoryOf(visit.service.double.world, 'octo/web');
    const state = {
      floor: now - 100 * 24 * hour,
      through: now,
      capped: false,
      total: null,
      openCount: null,
      head: null,
    };
    const newestAt = world.deployments.reduce<number | null>((at, one) => Math.max(at ?? 0, one.createdAt), null);
    await store.facts.store(repository, [
      {
        syncState: { ...state, kind: 'pull_requests', newestAt: null, capped },
        items: world.pullRequests.filter(isComplete.pull_requests),
        replaces: true,
      },
      {
        syncState: { ...state, kind: 'releases', newestAt: null },
        items: world.releases.filter(isComplete.releases),
        replaces: true,
      },
      {
        syncState: { ...state, kind: 'deployments', newestAt },
        items: world.deployments.filter(isComplete.deployments),
        replaces: true,
      },
    ]);
    return world;
  }

  test('each value is that of the API, of the same window at the same moment', { timeout: 300_000 }, async () => {
    await visit.sync('owner=octo&repo=web');
    const ask = async (path: string) => (await visit.service.ask('GET', path, { as: 'token-ann' })).body;
    const compared = new Set<string>();
    let [count, absent] = [0, 0];
    for (let seed = 1; seed <= rounds('GAUGE_SEEDS', 25, 400); seed++) {
      compared.clear();
      await fill(seed);
      if (seed % 10 === 1) await visit.sync('owner=octo&repo=web');
      await refresh(visit.service);
      const [dora, deployments, runs] = await Promise.all([
        ask('/api/codehost/repo-dora?owner=octo&repo=web'),
        ask('/api/codehost/deployments?owner=octo&repo=web'),
        ask('/api/db/workflows?repo=octo/web&range=30'),
      ]);
      const values = await scrape(visit.service);
      const shown = (family: string, labels: Record<string, string>) =>
        values.get(`das_repository_${family}${labelSet(labels)}`);
      const expectSame = (family: string, labels: Record<string, string>, rest: number | null, factor = 1) => {
        const name = `${seed} ${family} ${JSON.stringify(labels)}`;
        if (rest === null) {
          expect(shown(family, labels), name).toBeUndefined();
          absent++;
          return;
        }
        expect(shown(family, labels), name).toBeCloseTo(rest * factor, 9);
        compared.add(`das_repository_${family}${labelSet(labels)}`);
        count++;
      };
      const window = '90d';
      const pickup = dora.cycle_breakdown.median_pickup_ms;
      expectSame('lead_time_seconds', { window, quantile_of: '0.5' }, dora.lead_time.median_ms, 1 / 1000);
      expectSame('lead_time_seconds', { window, quantile_of: '0.95' }, dora.lead_time.p95_ms, 1 / 1000);
      expectSame('restore_time_seconds', { window, quantile_of: '0.5' }, dora.mttr.median_ms, 1 / 1000);
      expectSame('change_failure_ratio', { window, source: 'pull_requests' }, dora.change_failure_rate.rate, 1 / 100);
      expectSame('pull_requests_merged', { window }, dora.total_prs_attempted);
      expectSame('first_review_time_seconds', { window, quantile_of: '0.5' }, pickup, 1 / 1000);
      const source = dora.basis.deployment_frequency;
      expectSame('deployments', { window, source }, dora.deployment_frequency.total);
      // Without a value there is no sample.
      const expectSample = (of: Record<string, string>, value: number | null, n: number | null) =>
        expectSame('samples', of, value === null ? null : n);
      expectSample({ window, of: 'lead_time_seconds' }, dora.lead_time.median_ms, dora.lead_time.sample_size);
      expectSample({ window, of: 'restore_time_seconds' }, dora.mttr.median_ms, dora.mttr.recoveries);
      const { rate: failureRate, total: judged } = dora.change_failure_rate;
      expectSample({ window, of: 'change_failure_ratio' }, failureRate, judged);
      expectSample({ window, of: 'first_review_time_seconds' }, pickup, dora.cycle_breakdown.samples.pickup);
      // Where production is known by a mark of the platform alone, stored facts do not say.
      const known = { window: '30d', source: 'deployments' };
      if (shown('deployments', known) !== undefined) {
        const { change_failure_rate_pct: failedPct, successful, failed } = deployments;
        expectSame('deployments', known, successful);
        expectSame('change_failure_ratio', known, failedPct, 1 / 100);
        expectSample({ window: '30d', of: 'change_failure_ratio' }, failedPct, successful + failed);
      }
      const { totals } = runs;
      const of = { window: '30d' };
      expectSame('workflow_duration_seconds', { ...of, quantile_of: '0.5' }, totals.median_ms, 1 / 1000);
      expectSame('workflow_duration_seconds', { ...of, quantile_of: '0.9' }, totals.p90_ms, 1 / 1000);
      expectSame('workflow_queue_seconds', { ...of, quantile_of: '0.5' }, totals.queue_wait_ms, 1 / 1000);
      expectSame('ci_cost_usd', { ...of, basis: 'estimated' }, totals.cost_per_month);
      expect(runs.partial, `${seed}`).toBe(false);
      expectSame('coverage_ratio', of, 1);
      expectSame('coverage_ratio', { window }, dora.coverage.expected ? 1 : null);
      const passed = totals.failure_rate_sample - totals.failed_runs;
      expectSame('workflow_runs', { ...of, conclusion_class: 'pass' }, passed);
      expectSame('workflow_runs', { ...of, conclusion_class: 'fail' }, totals.failed_runs);
      const rate = totals.failure_rate === null ? null : passed / totals.failure_rate_sample;
      expectSame('workflow_success_ratio', of, rate);
      expectSample({ ...of, of: 'workflow_success_ratio' }, rate, totals.failure_rate_sample);
      expectSample({ ...of, of: 'workflow_duration_seconds' }, totals.median_ms, totals.duration_sample);
      expectSample({ ...of, of: 'workflow_queue_seconds' }, totals.queue_wait_ms, totals.queue_wait_sample);
      expectSample({ ...of, of: 'ci_cost_usd' }, totals.cost_per_month, totals.cost_sample);
      const sampled = [...values.keys()].filter((key) =>
        key.startsWith('das_repository_samples{owner="octo",repo="web"'),
      );
      expect(sampled.filter((key) => !compared.has(key))).toEqual([]);
      for (const one of runs.workflows) {
        const labels = { workflow_id: String(one.workflow_id), ...of };
        const own = (family: string, more: object = {}) =>
          values.get(`das_workflow_${family}${labelSet({ ...labels, ...more })}`) ?? null;
        const { failure_rate: failing, failure_rate_sample: ended, median_ms: median, p90_ms: slow } = one;
        const share = failing === null ? null : (ended - one.failed_runs) / ended;
        expect(
          [
            own('success_ratio'),
            own('duration_seconds', { quantile_of: '0.5' }),
            own('duration_seconds', { quantile_of: '0.9' }),
          ],
          `${seed} ${one.workflow_id}`,
        ).toEqual([share, median === null ? null : median / 1000, slow === null ? null : slow / 1000]);
      }
    }
    expect(count).toBeGreaterThan(300);
    expect(absent).toBeGreaterThan(10);
  });

  test('a window that is stored in part says which part, and is not counted whole', async () => {
    await visit.sync('owner=octo&repo=web');
    await fill(2, true);
    const store = storeOf(visit.service);
    const { facts: repository } = repositoryOf(visit.service.double.world, 'octo/web');
    const known = await store.repositories.find(repository);
    if (!known) throw new Error('The repository is stored.');
    const whole = await store.queue.executeSql('select backfilled_to from sync_cursors where repo_id = $1', [known.id]);
    const moveBegin = (at: unknown) =>
      store.queue.executeSql("update sync_cursors set backfilled_to = $2 where repo_id = $1 and kind = 'runs'", [
        known.id,
        at,
      ]);
    const now = visit.service.clock.now();
    await moveBegin(new Date(now - 12 * 24 * hour).toISOString());
    visit.service.clock.advance(hour);
    await refresh(visit.service);
    const values = await scrape(visit.service);
    const shown = (family: string, labels: Record<string, string>) =>
      values.get(`das_repository_${family}${labelSet(labels)}`);
    expect(shown('coverage_ratio', { window: '30d' })).toBeCloseTo(12 / 30, 2);
    expect(shown('workflow_runs', { window: '30d', conclusion_class: 'pass' })).toBeDefined();
    const { body } = await visit.service.ask('GET', '/api/db/workflows?repo=octo/web&range=30', { as: 'token-ann' });
    expect(body.partial_reasons).toEqual(['runs_begin_missing']);
    expect(shown('coverage_ratio', { window: '90d' })).toBeUndefined();
    expect(shown('pull_requests_merged', { window: '90d' })).toBeUndefined();
    expect(shown('lead_time_seconds', { window: '90d', quantile_of: '0.5' })).toBeDefined();
    await moveBegin((whole.rows[0] as { backfilled_to: unknown }).backfilled_to);
  });

  test('nothing that people or strangers wrote stands in a label', async () => {
    const world = await fill(7);
    await refresh(visit.service);
    const values = await scrape(visit.service);
    const keys = [...values.keys()];
    for (const of of [/^das_(repository|workflow)_/, /^das_(?!repository_|workflow_)/])
      expect(keys.filter((key) => of.test(key)).length).toBeGreaterThan(10);
    const labels = new Map<string, Set<string>>();
    for (const key of keys)
      for (const [, name = '', value = ''] of key.matchAll(/([a-z_]+)="([^"]*)"/g))
        labels.set(name, (labels.get(name) ?? new Set()).add(value));
    const families = [...ownFamilies, ...sharedFamilies, ...deliveryFamilies];
    const declared = new Set(['le', ...families.flatMap((family) => family.labels)]);
    expect([...labels.keys()].filter((label) => !declared.has(label))).toEqual([]);
    expect([...(labels.get('workflow_id') ?? [])].every((id) => /^\d+$/.test(id))).toBe(true);
    const seen = new Set([...labels.values()].flatMap((one) => [...one]));
    const { world: double } = visit.service.double;
    const strangers = [
      ...double.accounts.map(({ login }) => login),
      ...world.pullRequests.flatMap(({ author, title }) => [author?.login ?? '', title ?? '']),
      ...world.deployments.map(({ environment }) => environment),
      'main',
    ];
    expect(strangers.filter((one) => one !== '' && seen.has(one))).toEqual([]);
  });

  test('what was not synced for 26 hours leaves its age alone; what is tracked no longer, nothing', async () => {
    await fill(3);
    await visit.sync('owner=octo&repo=web');
    await refresh(visit.service);
    const own = async () => [...(await scrape(visit.service)).keys()].filter((key) => key.includes('repo="web"'));
    expect((await own()).length).toBeGreaterThan(5);
    visit.service.clock.advance(26 * hour);
    await refresh(visit.service);
    expect(await own()).toEqual(['das_repository_data_age_seconds{owner="octo",repo="web"}']);
    const age = (await scrape(visit.service)).get('das_repository_data_age_seconds{owner="octo",repo="web"}');
    expect(age).toBeGreaterThanOrEqual(26 * 3600);
    visit.service.clock.advance(31 * 24 * hour);
    await refresh(visit.service);
    expect(await own()).toEqual(['das_repository_data_age_seconds{owner="octo",repo="web"}']);
    const store = storeOf(visit.service);
    const all = await store.exportedValues.list({ isPublic: false });
    expect(all.length).toBeGreaterThan(1);
    expect((await store.exportedValues.list({ isPublic: true })).some(({ repo }) => repo === 'web')).toBe(false);
  });

  test('what was public and cannot be reached any more is not named', async () => {
    const store = storeOf(visit.service);
    const { facts } = repositoryOf(visit.service.double.world, 'octo/web');
    const before = { private: facts.private, visibility: facts.visibility };
    onTestFinished(() => void Object.assign(facts, before));
    Object.assign(facts, { private: false, visibility: 'public' });
    const listed = async () => (await store.exportedValues.list({ isPublic: true })).map(({ repo }) => repo);
    await fill(3);
    await visit.sync('owner=octo&repo=web');
    await refresh(visit.service);
    expect(await listed()).toContain('web');
    const { id } = (await store.repositories.tracked()).find(({ repo }) => repo === 'web') ?? { id: 0 };
    await store.repositories.unreachable(id, 'not_found', visit.service.clock.now());
    expect(await listed()).not.toContain('web');
    await store.repositories.reachable(id);
    expect(await listed()).toContain('web');
  });

  test('a repository is computed again when its facts changed, and every hour', async () => {
    await visit.sync('owner=octo&repo=web');
    visit.service.clock.advance(hour);
    expect(await refresh(visit.service)).toMatchObject({ repositories: expect.any(Number), complete: true });
    expect(await refresh(visit.service)).toEqual({ repositories: 0, complete: true });
    await fill(5);
    expect(await refresh(visit.service)).toEqual({ repositories: 1, complete: true });
    visit.service.clock.advance(hour);
    expect((await refresh(visit.service)).repositories).toBeGreaterThan(0);
  });
});

describe('the cap', () => {
  const now = Date.UTC(2026, 10, 28);
  const repository = (index: number, runs: number): ExposedValue[] =>
    ['pass', 'fail', 'void'].map((conclusion_class, place) => ({
      owner: 'acme',
      repo: `repo-${String(index).padStart(4, '0')}`,
      family: 'das_repository_workflow_runs',
      labels: { window: '30d', conclusion_class },
      value: place === 0 ? runs : 0,
      n: null,
      asOf: now,
    }));
  const rank = (index: number, runs: number): ExposedValue => ({
    owner: 'acme',
    repo: `repo-${String(index).padStart(4, '0')}`,
    family: 'rank',
    labels: {},
    value: runs,
    n: null,
    asOf: now,
  });
  const values = Array.from({ length: 3000 }, (_, index) => [
    ...repository(index, (index * 7) % 1000),
    rank(index, (index * 7) % 1000),
  ]).flat();
  const shown = async (given: ExposedValue[], max: number) =>
    series(await writeExposition(await measureRepositories(given, now, max), 'text'));

  test('shows whole repositories, those with the most runs first, and counts the rest', async () => {
    const found = await shown(values, 1000);
    const own = [...found.keys()].filter((key) => key.startsWith('das_repository_workflow_runs'));
    expect(own).toHaveLength(999);
    expect(new Set(own.map((key) => /repo="(.*?)"/.exec(key)?.[1])).size).toBe(333);
    expect(found.get('das_exposition_series_dropped{family="das_repository_workflow_runs"}')).toBe(9000 - 999);
    const smallest = Math.min(
      ...own.filter((key) => key.includes('"pass"')).map((key) => found.get(key) ?? Number.NaN),
    );
    expect(smallest).toBeGreaterThan(880);
  });

  test('the set is the same while ranks are, whatever runs were added since', async () => {
    const later = values.map((one) =>
      one.family === 'rank' ? one : { ...one, value: one.value + 5000 - one.value * 2 },
    );
    const names = (found: Map<string, number>) =>
      [...found.keys()].filter((key) => key.startsWith('das_repository')).sort();
    expect(names(await shown(later, 1000))).toEqual(names(await shown(values, 1000)));
  });

  test('none at all where the cap is 0, and nothing is dropped below it', async () => {
    expect([...(await shown(values, 0)).keys()].some((key) => key.startsWith('das_repository'))).toBe(false);
    const all = await shown(values, 9000);
    expect(all.get('das_exposition_series_dropped{family="das_repository_workflow_runs"}')).toBe(0);
    expect([...all.keys()].filter((key) => key.startsWith('das_repository'))).toHaveLength(9000);
  });
});
