import { afterEach, beforeEach, expect, test } from 'vitest';
import { duration, quantity } from '../../server/domain/quantity.ts';
import { badgeKindNames } from '../../server/sharing/badge-kinds.ts';
import { addRandomRepository } from '../codehost-double/random-repository.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { rounds } from '../support/rounds.ts';
import { type Answered, anyDatabase, type Service, startService } from '../support/service.ts';

let service: Service;
// Each part has a service of its own, so that what it finds does not depend on the parts before.
beforeEach(async () => {
  const env = { RATE_LIMIT_SESSION_PER_MINUTE: '0', SESSION_TTL_HOURS: '720' };
  service = await startService({ DATABASE_URL: anyDatabase, ...env });
});
afterEach(() => service.close());

const ask = (method: string, path: string, body?: object) =>
  service.ask(method, path, { as: 'token-ann', ...(body && { body }) });

const percent = (value: number | null) => (value === null ? null : quantity(value, 'percent'));
const time = (word: string, ms: number | null) => (ms === null ? null : `${word} ${duration(ms)}`);

/** What stands on the badges of a repository by the answers of the API. */
function expectedOf(dora: Answered['body'], { totals, partial }: Answered['body']): Record<string, string> {
  const words = (text: string | null, n: number | null, isPartial: boolean) =>
    text === null
      ? 'no data'
      : [text, ...(isPartial ? ['incomplete'] : []), ...(n !== null && n < 5 ? ['n &#60; 5'] : [])].join(', ');
  const { lead_time: lead, deployment_frequency: frequency, change_failure_rate: failure, mttr } = dora;
  const rate = totals.failure_rate === null ? null : 100 - totals.failure_rate;
  const perDay = frequency.per_day === null ? null : quantity(frequency.per_day, 'per_day');
  return {
    'success-rate': words(percent(rate), totals.failure_rate_sample, partial),
    duration: words(time('p90', totals.p90_ms), totals.duration_sample, partial),
    queue: words(time('p90', totals.queue_wait_p90_ms), totals.queue_wait_sample, partial),
    'lead-time': words(time('median', lead.median_ms), lead.sample_size, dora.partial),
    'deploy-frequency': words(perDay, frequency.total, dora.partial && dora.basis.deployment_frequency !== 'releases'),
    'change-failure-rate': words(percent(failure.rate), failure.total, dora.partial),
    'time-to-restore': words(time('median', mttr.median_ms), mttr.recoveries, dora.partial),
    'coverage-of-data': dora.partial ? 'incomplete' : 'complete',
  };
}

/** In parts, so that none takes too long: together at least 200 worlds where there is time. */
const parts = Array.from({ length: rounds('BADGE_PARTS', 1, 10) }, (_, index) => index);
const worldsOfPart = rounds('BADGE_WORLDS', 4, 20);

test.each(parts)(
  'in random worlds each badge shows the value of the API: part %i',
  { timeout: 300_000 },
  async (part) => {
    let [shown, without] = [0, 0];
    for (let seed = 1000 * part + 1; seed <= 1000 * part + worldsOfPart; seed++) {
      service.double.reset();
      const { owner, repo } = addRandomRepository(service, seed);
      expect((await ask('POST', `/api/db/sync?owner=${owner}&repo=${repo}`)).status).toBe(200);
      const [dora, runs] = await Promise.all([
        ask('GET', `/api/codehost/repo-dora?owner=${owner}&repo=${repo}`),
        ask('GET', `/api/db/workflows?repo=${owner}/${repo}&range=30`),
      ]);
      const expected = expectedOf(dora.body, runs.body);
      // All is read, but for what another default branch had before.
      const { pullRequests } = repositoryOf(service.double.world, `${owner}/${repo}`);
      const bases = new Set(pullRequests.filter(({ mergedAt }) => mergedAt).map(({ baseBranch }) => baseBranch));
      expect(dora.body.partial && bases.size < 2, `${seed}`).toBe(false);
      expect(Object.keys(expected).sort()).toEqual(badgeKindNames.filter((kind) => kind !== 'workflow').sort());
      for (const [kind, text] of Object.entries(expected)) {
        const { body } = await ask('POST', '/api/shares', { badge: { kind, owner, repo }, expires_in_days: 30 });
        const { pathname, search } = new URL(body.url);
        const svg = (await service.ask('GET', `${pathname}${search}`)).text;
        const [label, message] = [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, found]) => found);
        expect([seed, kind, message]).toEqual([seed, kind, text]);
        if (kind === 'deploy-frequency')
          expect([seed, label]).toEqual([
            seed,
            dora.body.basis.deployment_frequency === 'releases' ? 'releases' : 'merges',
          ]);
        if (text === 'no data') without++;
        else shown++;
        await ask('DELETE', `/api/shares?id=${body.share.id}`);
      }
      // An account makes sixty an hour.
      service.clock.advance(600_000);
    }
    expect(shown).toBeGreaterThan(10);
    expect(without).toBeGreaterThan(3);
  },
);
