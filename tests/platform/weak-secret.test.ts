import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { readEnv } from '../../server/platform/env.ts';
import { isWeakSecret } from '../../server/platform/weak-secret.ts';

test.each([
  'password'.repeat(4),
  'secretsecretsecretsecretsecretsec',
  'correct-horse-correct-horse-correct-horse',
  'delivery delivery delivery delivery 1234',
  'abcabcabcabcabcabcabcabcabcabcabc1',
  '1234567890'.repeat(4),
  'abcdefghijklmnopqrstuvwxyz0123456789',
  '98765432109876543210987654321098',
  'qwertyuiopasdfghjklzxcvbnm123456',
  'correcthorsebatterystaplecorrecthorsebatterystaple',
  'passwordpasswordadminadminletmeinletmein',
  'mysupersecretpassword mysupersecretpassword',
  '1q2w3e4r5t6y7u8i9o0p1q2w3e4r5t6y7u8i9o0p',
  'aaaaaaaaaaaaaaaabbbbbbbbbbbbbbbb',
  '0101101001011010010110100101101001011010',
])('%s is rejected as a secret, by the name of its variable and without its value', (weak) => {
  const reason = 'is easily guessed; generate a random value';
  for (const name of ['SESSION_SECRET', 'CRON_SECRET']) {
    const read = () => readEnv({ NODE_ENV: 'test', [name]: weak });
    expect(read).toThrow(new RegExp(`^${name} ${reason}$`));
  }
});

test('a weak secret may be a previous one, so that it can be replaced', () => {
  const weak = 'password'.repeat(4);
  expect(readEnv({ NODE_ENV: 'test', SESSION_SECRET_PREVIOUS: weak }).SESSION_SECRET_PREVIOUS).toEqual([weak]);
});

test('what is generated passes, whatever its alphabet', () => {
  const alphabets = ['hex', 'base64', 'base64url'] as const;
  for (const bytes of [24, 32, 48, 2048])
    for (const alphabet of alphabets)
      for (let count = 0; count < 100; count++) {
        const secret = randomBytes(bytes).toString(alphabet);
        expect([secret, isWeakSecret(secret)]).toEqual([secret, false]);
      }
  for (let count = 0; count < 2000; count++) {
    const digits = Array.from({ length: 32 }, () => randomInt(10)).join('');
    expect([digits, isWeakSecret(digits)]).toEqual([digits, false]);
  }
});
