import { describe, expect, it } from 'vitest';
import { operations } from '../server/api/registry.ts';
import { additions, law } from './contract.ts';

const name = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const declared = operations.map(name);

/** Texts that are shown once, where they are made; and the name and end of a token, without its text. */
const secretsGiven = new Map([
  ['POST /api/tokens', ['"token"']],
  ['POST /api/shares', ['"token"']],
  ['GET /api/auth/me', ['"token"']],
  ['PUT /api/settings/webhooks', ['"secret"']],
  ['POST /api/settings/webhooks/rotate', ['"secret"']],
]);

describe('the registry and the law', () => {
  it('the law has 73 operations', () => {
    expect(new Set(law.map(name)).size).toBe(73);
  });

  it('every operation of the law is declared', () => {
    expect(declared.filter((one) => !additions.includes(one)).sort()).toEqual(law.map(name).sort());
  });

  it('no operation is declared twice, and none that nobody listed', () => {
    expect(new Set(declared).size).toBe(declared.length);
    expect(declared.filter((one) => !law.map(name).includes(one)).sort()).toEqual([...additions].sort());
  });

  it.each(operations.map((one) => [name(one), one] as const))('%s names the access of the law', (title, operation) => {
    const expected = law.find((one) => name(one) === title)?.access;
    if (expected) expect(operation.access.name).toBe(expected);
    else
      expect([
        'anyone',
        'member',
        'session',
        'share',
        'accessToken',
        'feed',
        'metric',
        'admin',
        'feature:aiAuthorship',
        'feature:auditTrail',
        'feature:ciAdvisor',
        'feature:ciAdvisorPullRequest',
        'feature:costAnalytics',
        'feature:reliabilityTab',
        'feature:dataSync',
        'feature:exposure',
        'feature:mergeQueue',
        'feature:reports',
        'feature:prLifecycle',
        'feature:deployments',
        'feature:securityScan or feature:securityAlerts',
        'feature:teamInsights',
      ]).toContain(operation.access.name);
  });

  it.each(operations.map((one) => [name(one), one] as const))('%s has no secret in its answer', (title, { output }) => {
    const keys =
      JSON.stringify(output.meta() ?? {}) + JSON.stringify(Object.keys((output as { shape?: object }).shape ?? {}));
    expect(keys.match(/"(token|secret|api_key|pat)"/g) ?? []).toEqual(secretsGiven.get(title) ?? []);
  });
});
