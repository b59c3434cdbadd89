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

test('without a secret of today nothing is sealed with one of before', () => {
  const nothing = box({ SETTINGS_ENCRYPTION_KEY_PREVIOUS: [key] });
  expect(nothing.open(withKey.seal('provider-key'))).toEqual({ text: 'provider-key', outdated: true });
  expect(withKey.open(nothing.seal('provider-key'))).toBeNull();
});
