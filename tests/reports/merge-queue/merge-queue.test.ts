import { describe, expect, test } from 'vitest';
import type { MergeQueueEvent } from '../../../server/metrics/kernel/delivery-facts.ts';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { repositoryOf } from '../../codehost-double/world.ts';

const visit = freshService();
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ask = (query = '', repo = 'web', as = 'token-ann') =>
  visit.service.ask('GET', `/api/codehost/merge-queue?owner=octo&repo=${repo}${query}`, { as });
const now = () => visit.service.clock.now();
const iso = (at: number) => new Date(at).toISOString();

const event = (kind: MergeQueueEvent['kind'], at: number, reason: string | null = null): MergeQueueEvent => ({
  kind,
  at,
  isByBot: false,
  reason,
  headSha: null,
});

/** Six pull requests that the queue merged after 10, 20, … minutes, one of them in its second stay, and one that waits. */
function fillQueue() {
  const { double } = visit.service;
  repositoryOf(double.world, 'octo/web').queueBranches = ['main'];
  for (let index = 1; index <= 6; index++) {
    const mergedAt = now() - index * day;
    const enteredAt = mergedAt - index * 10 * minute;
    const earlier = [event('added', enteredAt - 2 * hour), event('removed', enteredAt - hour, 'failed_checks')];
    double.putPullRequest('octo/web', {
      number: 200 + index,
      createdAt: mergedAt - day,
      mergedAt,
      queueEvents: [...(index === 6 ? earlier : []), event('added', enteredAt), event('removed', mergedAt, 'merged')],
    });
  }
  double.putPullRequest('octo/web', { number: 300, queueEvents: [event('added', now() - 30 * minute)] });
}

describe('a repository without a merge queue', () => {
  test('says so, and has no figures', async () => {
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({ supported: true, used: false, branch: 'main', figures: null, previous: null });
    expect(body).toMatchObject({ entries: [], branches: [], config: null, hours: [], days: [] });
  });

  test('is not told of to those who may not see it', async () => {
    expectProblem(await ask('', 'secret', 'token-bo'), 404, 'not_found');
  });
});

describe('a merge queue', () => {
  test('tells what waits and how it fared, in at most four requests', async () => {
    fillQueue();
    await visit.service.signIn('token-ann');
    const before = visit.service.double.requests.length;
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(visit.service.double.requests.length - before).toBeLessThanOrEqual(4);
    expect(body).toMatchObject({ used: true, branch: 'main', branches: ['main'], window_days: 30 });
    expect(body.config).toMatchObject({ checks_timeout_minutes: 60, strategy: 'allgreen', method: 'squash' });
    expect(body.now).toMatchObject({ length: 1, by_state: { awaiting_checks: 1, queued: 0 }, oldest_minutes: 30 });
    expect(body.entries).toMatchObject([
      {
        number: 300,
        position: 1,
        ahead: 0,
        state: 'awaiting_checks',
        entered_at: iso(now() - 30 * minute),
        minutes: 30,
      },
    ]);
    expect(body.entries[0]).toMatchObject({ eta: null, eta_reason: 'few_samples' });
    expect(body.estimates).toEqual({ judged: 0, covered_pct: null });
    expect(body.figures).toMatchObject({
      queue_time_p50: { value: 35, sample: 6, low_sample: true },
      attempts_per_merge: { value: 1.17, sample: 6 },
      ejection_rate: { value: null, sample: 7 },
      bypass_share: { value: 40, sample: 10 },
    });
    expect(body.reasons).toEqual([
      { group: 'merged', label: 'Merged', count: 6, share_pct: 85.7 },
      { group: 'checks_failed', label: 'Checks failed', count: 1, share_pct: 14.3 },
    ]);
    expect(body.days).toHaveLength(31);
    expect(body.days.reduce((sum: number, one: { merged: number }) => sum + one.merged, 0)).toBe(6);
    const again = visit.service.double.requests.length;
    await ask('&days=7');
    expect(visit.service.double.requests.length - again).toBeLessThanOrEqual(1);
  });

  test('has hours for a week, and its entries as a table', async () => {
    fillQueue();
    const { body } = await ask('&days=7');
    expect(body.hours.length).toBeGreaterThanOrEqual(168);
    expect(body.hours.at(-1)).toMatchObject({ arrivals: 1, length_max: 1 });
    const { text } = await ask('&format=csv');
    expect(text.split('\n')[0]).toContain('number,');
    expect(text).toContain('300');
  });

  test('explains its figures', async () => {
    fillQueue();
    const path = '/api/explain?owner=octo&repo=web&metric=queue_time_p50';
    const { status, body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ value: 35, sample: 6 });
    expect(body.left_out.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'removed without a merge',
      'still in the queue',
    ]);
  });

  test('explains how many are in it now by what the queue says', async () => {
    fillQueue();
    expect((await ask()).body.figures.queue_length).toMatchObject({ value: 1, sample: 1 });
    const path = '/api/explain?owner=octo&repo=web&metric=queue_length';
    const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    expect(body).toMatchObject({ value: 1, sample: 1, counted: [{ label: '#300', note: 'In queue' }] });
  });

  test('names a new reason in the words of the platform, and an end that was not recorded', async () => {
    const { double } = visit.service;
    repositoryOf(double.world, 'octo/web').queueBranches = ['main'];
    const at = now() - day;
    double.putPullRequest('octo/web', {
      number: 210,
      createdAt: at - day,
      mergedAt: at,
      queueEvents: [
        event('added', at - 5 * hour),
        event('removed', at - 4 * hour, 'brand_new_reason'),
        event('added', at - hour),
      ],
    });
    const path = '/api/explain?owner=octo&repo=web&metric=queue_time_p50';
    const { body } = await visit.service.ask('GET', path, { as: 'token-ann' });
    const items = [...body.counted, ...body.left_out.flatMap(({ items: some }: { items: object[] }) => some)];
    const notes = items.map(({ note }: { note: string }) => note);
    expect(notes).toContain('Other: brand_new_reason');
    expect(notes).toContain('Merged, inferred from the pull request');
  });

  test('is unknown, not missing, where the platform could not read it', async () => {
    visit.service.double.fault(
      { times: 100 },
      { kind: 'failing_field', field: 'Repository.mergeQueue', type: 'FORBIDDEN' },
    );
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({ used: false, now: null });
    expect(body.coverage.complete).toBe(false);
  });

  test('of another branch is another queue', async () => {
    fillQueue();
    expect((await ask('&branch=release')).body).toMatchObject({ used: false, branch: 'release', branches: ['main'] });
  });
});
