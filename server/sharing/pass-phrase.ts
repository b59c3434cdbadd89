import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const keyLength = 32;

/** What is stored of a pass phrase: its salt, and the key that scrypt makes of both. */
export async function hashPassPhrase(phrase: string): Promise<string> {
  const salt = randomBytes(16);
  return `${salt.toString('base64url')}.${(await derive(phrase, salt, keyLength)).toString('base64url')}`;
}

export async function isPassPhrase(phrase: string, stored: string): Promise<boolean> {
  const [salt = '', key = ''] = stored.split('.').map((part) => Buffer.from(part, 'base64url'));
  const expected = Buffer.from(key);
  const given = await derive(phrase, Buffer.from(salt), keyLength);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
