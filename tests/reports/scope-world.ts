import { beforeAll, expect } from 'vitest';
import { expectProblem } from '../api/endpoints.ts';
import { storedService } from '../api/stored.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Answered } from '../support/service.ts';
import { besidesTokenCheck } from '../support/token-check.ts';

/**
 * A service with two synced repositories of octo, of which one is hidden from bo; `path` is the report of a scope, as
 * `deployments`, and the metrics are those that explain it.
 */
export function aScope(database: TestDatabase, path: string, env: Record<string, string> = {}) {
  const visit = storedService(database, env);
  beforeAll(async () => {
    await visit.sync('owner=octo&repo=web');
    await visit.sync('owner=octo&repo=secret');
  });
  const ask = (query = '', as?: string) => visit.ask(`${path}?org=octo${query}`, as);
  const get = (address: string, as = 'token-ann') => visit.service.ask('GET', address, { as });
  const explain = (metric: string, query = 'org=octo', as?: string) =>
    get(`/api/explain?metric=${metric}&${query}`, as);
  return { visit, ask, get, explain, expectHidden, expectOnlyProof };

  /** Nothing of a repository that the reader may not see is in the report or in what explains it. */
  async function expectHidden(metrics: readonly string[]): Promise<void> {
    const { text, body } = await ask('', 'token-bo');
    expect(text).not.toContain('octo/secret');
    expect(body.repositories.map(({ repo }: { repo: string }) => repo)).toEqual(['octo/web']);
    for (const metric of metrics) {
      expect((await explain(metric, 'org=octo', 'token-bo')).text).not.toContain('octo/secret');
      expectProblem(await explain(metric, 'org=nobody'), 404, 'not_found');
    }
    expectProblem(await visit.ask(`${path}?org=sealed`, 'token-ann-two'), 403, 'sso_required');
  }

  /** The platform is asked only which repositories may be seen, and nothing while that is fresh. */
  async function expectOnlyProof(metric: string): Promise<void> {
    const { double, clock } = visit.service;
    clock.advance(16 * 60_000);
    double.requests.length = 0;
    await ask();
    expect(besidesTokenCheck(double.requests).map(({ operation }) => operation)).toEqual(['repos/list-for-org']);
    double.requests.length = 0;
    await ask();
    await explain(metric);
    expect(besidesTokenCheck(double.requests)).toEqual([]);
  }
}

/** The head and the rows of an answer as CSV. */
export const toLines = ({ text }: Answered) => text.trim().split('\r\n');
