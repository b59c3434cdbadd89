import { describe, expect, it } from 'vitest';
import { namedNow, workflowIds } from '../codehost-double/named-world.ts';
import { withDouble } from './double.ts';
import { errorOf } from './platform.ts';

const platform = withDouble();
const web = { owner: 'octo', repo: 'web' };
const api = { owner: 'octo', repo: 'api' };

describe('changes and trouble', () => {
  it('a change is seen after the time of the copy, at the price of one request', async () => {
    const { codehost } = platform.as();
    const before = await codehost.runs.ofWorkflow(api, workflowIds.apiCi, 50);
    platform.double.putRun('octo/api', { id: 5299, createdAt: namedNow });
    platform.advance(120_000);
    const after = await codehost.runs.ofWorkflow(api, workflowIds.apiCi, 50);
    expect(after.items).toHaveLength(before.items.length + 1);
    expect(platform.double.spent('core')).toBe(2);
  });

  it('access taken away ends the proof and the copies', async () => {
    const { codehost } = platform.as('token-bo');
    await codehost.repositories.get(web);
    platform.double.removeAccess('octo/web', 'bo');
    platform.advance(5 * 60_000);
    expect((await errorOf(codehost.repositories.get(web))).code).toBe('not_found');
    expect((await errorOf(codehost.workflows.list(web))).code).toBe('not_found');
  });

  it('a revoked token is rejected and forgotten', async () => {
    const { codehost } = platform.as();
    await codehost.workflows.list(web);
    platform.double.revokeToken('token-ann');
    const problem = await errorOf(codehost.viewer());
    expect([problem.code, problem.details?.reason]).toEqual(['unauthenticated', 'token_rejected']);
    expect((await errorOf(codehost.workflows.list(web))).code).toBe('unauthenticated');
  });

  it.each([
    { kind: 'status', status: 500 },
    { kind: 'status', status: 502 },
    { kind: 'reset' },
    { kind: 'cut_body' },
    { kind: 'malformed_json' },
    { kind: 'hang' },
  ] as const)('$kind $status for a while: tried again, then a copy, then upstream_unavailable', async (fault) => {
    const { codehost } = platform.as('token-ann', fault.kind === 'hang' ? 1000 : 5000);
    const path = '/repos/octo/web/*';
    platform.double.fault({ path, times: fault.kind === 'hang' ? 1 : 2 }, fault);
    const first = await codehost.workflows.list(web);
    expect([first.items.length, first.stale]).toEqual([4, false]);
    platform.double.fault({ path, times: 100 }, fault);
    platform.advance(3_600_000);
    expect(await codehost.workflows.list(web)).toEqual({ ...first, stale: true });
    expect((await errorOf(codehost.jobs.ofRun(web, 5011))).code).toBe('upstream_unavailable');
  });

  it.each([
    { fault: { kind: 'primary_limit' }, wait: 3600 },
    { fault: { kind: 'primary_limit', status: 429 }, wait: 3600 },
    { fault: { kind: 'secondary_limit' }, wait: 60 },
    { fault: { kind: 'secondary_limit', status: 429, retryAfter: 90 }, wait: 90 },
  ] as const)('$fault.kind $fault.status tells how long to wait', async ({ fault, wait }) => {
    platform.double.fault({ times: 100 }, fault);
    const problem = await errorOf(platform.as().codehost.workflows.list(web));
    expect([problem.code, problem.details?.retry_after_s]).toEqual(['upstream_rate_limited', wait]);
    expect(platform.double.requests).toHaveLength(1);
  });

  it('a short secondary limit is waited for', async () => {
    platform.double.fault({}, { kind: 'secondary_limit', retryAfter: 2 });
    expect((await platform.as().codehost.workflows.list(web)).items).toHaveLength(4);
    expect(platform.double.requests).toHaveLength(2);
  });

  it('the reserve is stored, and people go before background work', async () => {
    platform.double.budgets.setRemaining('ann', 'core', 51);
    const { codehost } = platform.as();
    await codehost.workflows.list(web);
    await codehost.workflows.list(api);
    const problem = await errorOf(codehost.repositories.mine());
    expect([problem.code, problem.details?.retry_after_s]).toEqual(['upstream_rate_limited', 3600]);
    expect((await codehost.rateLimits()).core.remaining).toBe(49);
    platform.advance(3_600_000);
    expect((await codehost.repositories.mine()).items).toHaveLength(216);
  });

  it('GraphQL errors are the problems they mean', async () => {
    const outcome = async (type: string) => {
      platform.double.fault({ path: '/graphql' }, { kind: 'graphql_error', type });
      return (await errorOf(platform.as().codehost.repositories.states([web]))).code;
    };
    expect(await outcome('RATE_LIMITED')).toBe('upstream_rate_limited');
    expect(await outcome('FORBIDDEN')).toBe('upstream_forbidden');
    expect(await outcome('RESOURCE_LIMITS_EXCEEDED')).toBe('upstream_unavailable');
  });

  it('a part that GraphQL left open is read again', async () => {
    platform.double.fault(
      { path: '/graphql' },
      {
        kind: 'partial_graphql',
        field: 'r1',
        type: 'RESOURCE_LIMITS_EXCEEDED',
        message: 'Resource limits for this query exceeded.',
      },
    );
    const states = await platform.as().codehost.repositories.states([web, api, { owner: 'octo', repo: 'old' }]);
    expect(states.map(({ repo }) => repo)).toEqual(['web', 'api', 'old']);
    expect(platform.double.requests).toHaveLength(2);
  });

  it.each([451, 410, 403])('%i is its problem', async (status) => {
    platform.double.fault({}, { kind: 'status', status });
    const codes: Record<number, string> = { 451: 'legally_blocked', 410: 'gone', 403: 'upstream_forbidden' };
    expect((await errorOf(platform.as().codehost.workflows.list(web))).code).toBe(codes[status]);
  });
});
