import { expect, test } from 'vitest';
import { settingsBox } from '../../server/settings/sealing.ts';

const [key, session] = ['one-key-one-key-one-key-one-key-1', 'one-session-secret-one-session-secret'];
const box = (secrets: Partial<Parameters<typeof settingsBox>[0]>) =>
  settingsBox({ SETTINGS_ENCRYPTION_KEY_PREVIOUS: [], SESSION_SECRET_PREVIOUS: [], ...secrets } as never);
const withKey = box({ SETTINGS_ENCRYPTION_KEY: key, SESSION_SECRET: session });
const retired = box({ SETTINGS_ENCRYPTION_KEY_PREVIOUS: [key], SESSION_SECRET: session });
const dropped = box({ SESSION_SECRET: session });

test('a retired key opens what it sealed, which is sealed anew with the session secret', () => {
  const opened = retired.open(withKey.seal('provider-key'));
  expect(opened).toEqual({ text: 'provider-key', outdated: true });
  const anew = retired.seal('provider-key');
  expect(retired.open(anew)).toEqual({ text: 'provider-key', outdated: false });
  expect(dropped.open(anew)?.text).toBe('provider-key');
});

test('a new key seals, and opens what the session secret sealed', () => {
  expect(withKey.open(dropped.seal('provider-key'))).toEqual({ text: 'provider-key', outdated: true });
  expect(dropped.open(withKey.seal('provider-key'))).toBeNull();
});

test.each([
  ['key', { SETTINGS_ENCRYPTION_KEY_PREVIOUS: [key] }, withKey],
  ['session secret', { SESSION_SECRET_PREVIOUS: [session] }, dropped],
] as const)('without a secret of today what an earlier %s sealed opens, and stays as it is', (_, previous, earlier) => {
  const nothing = box(previous as never);
  const sealed = earlier.seal('provider-key');
  expect(nothing.open(sealed)).toEqual({ text: 'provider-key', outdated: false });
  expect(earlier.open(nothing.seal('provider-key'))).toBeNull();
});

test('a key of today seals anew what an earlier session secret sealed, also without one of today', () => {
  const own = box({ SETTINGS_ENCRYPTION_KEY: key, SESSION_SECRET_PREVIOUS: [session] });
  expect(own.open(dropped.seal('provider-key'))?.outdated).toBe(true);
});
