import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { readEnv } from '../../server/platform/env.ts';
import { openServiceToken, type ServiceToken } from '../../server/platform/service-token.ts';

const canary = 'canary-of-the-service';
const env = readEnv({ SESSION_SECRET: 'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo', CODEHOST_TOKEN: canary });

test("the service's own token is in the configuration, and cannot be read from it by accident", () => {
  const shown = [JSON.stringify(env), inspect(env, { depth: 9, showHidden: true }), `${env.CODEHOST_TOKEN}`];
  for (const one of shown) expect(one).not.toContain(canary);
  expect(JSON.stringify({ ...env.CODEHOST_TOKEN })).not.toContain(canary);
});

test('it is opened where it is used', () => {
  expect(openServiceToken(env.CODEHOST_TOKEN as ServiceToken)).toBe(canary);
});
