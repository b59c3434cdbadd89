import { expect, test } from 'vitest';
import type { JudgedAttempt } from '../../../../server/reports/exposure/judge-attempts.ts';
import { type Reach, unreachable } from '../../../../server/reports/exposure/reach/reach.ts';
import { countReach, countSecrets } from '../../../../server/reports/exposure/reach/summarize.ts';

const known: Reach = { ...unreachable, secrets: [], allSecrets: false, permissions: {}, idToken: false };
const of = (...all: Partial<Reach>[]) =>
  all.map((more) => ({ attempt: { repositoryId: 1 }, reach: { ...known, ...more } }) as JudgedAttempt);
const rest = 'environment:production/*';

test('what an environment has beside its names is never none', () => {
  expect(countSecrets(of({}))).toBe(0);
  expect(countSecrets(of({}, { secrets: [rest] }))).toBeNull();
  expect(countSecrets(of({ secrets: ['A', rest] }))).toBe(1);
  expect(countReach(of({}, { secrets: ['A', rest] }))).toMatchObject({ secretsNamed: 1, attemptsSecretsUnknown: 1 });
});

test('of an attempt that could read every secret nothing is left to be known', () => {
  expect(countReach(of({ secrets: [rest], allSecrets: true }))).toMatchObject({
    attemptsAllSecrets: 1,
    attemptsSecretsUnknown: 0,
  });
  expect(countReach(of({ secrets: null, allSecrets: null }))).toMatchObject({ attemptsSecretsUnknown: 1 });
});

test('a token counts as not known where its scopes or credentials of clouds are', () => {
  expect(countReach(of({}, { permissions: null }, { idToken: null }))).toMatchObject({ attemptsTokenUnknown: 2 });
});
