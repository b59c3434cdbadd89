import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Replaced together, each with the variable that keeps its earlier values. */
const secrets = [
  { name: 'SESSION_SECRET', previous: 'SESSION_SECRET_PREVIOUS' },
  { name: 'SETTINGS_ENCRYPTION_KEY', previous: 'SETTINGS_ENCRYPTION_KEY_PREVIOUS' },
] as const;

/** How many earlier values stay: whoever rotates weekly still opens a session of three weeks. */
const maxEarlier = 3;

/**
 * Gives the secrets of an env file new values and keeps the earlier ones. The file is replaced as a whole. Answers the
 * names of the secrets that were replaced: those that the file has.
 */
export function rotateSecrets(file: string): string[] {
  const before = readFileSync(file, 'utf8');
  const given = parseEnv(before);
  const present = secrets.filter(({ name }) => given[name]);
  const after = present.reduce((text, { name, previous }) => {
    const earlier = [given[name], ...(given[previous]?.split(',') ?? [])].filter(Boolean).slice(0, maxEarlier);
    return withValue(withValue(text, previous, earlier.join(','), name), name, randomBytes(32).toString('hex'), name);
  }, before);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, after, { mode: 0o600, flag: 'wx' });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  return present.map(({ name }) => name);
}

/** The text with another value for a variable, in its own line or in a new one below that of a neighbour. */
function withValue(text: string, name: string, value: string, neighbour: string): string {
  const line = `${name}=${quoted(value)}`;
  const own = lineOf(name);
  const after = own.test(text)
    ? text.replace(own, () => line)
    : text.replace(lineOf(neighbour), (found) => `${found}\n${line}`);
  // The last of several lines counts.
  if (parseEnv(after)[name] !== value) throw new Error(`${name} is set more than once: leave one line, and try again.`);
  return after;
}

/** Whoever wrote a secret by hand may have used what ends a value, such as `#`. */
function quoted(value: string): string {
  if (/^[\w+/=,.-]*$/.test(value)) return value;
  const quote = ["'", '"', '`'].find((one) => !value.includes(one));
  if (quote === undefined) throw new Error('A secret has every kind of quotation mark: replace it by hand.');
  return `${quote}${value}${quote}`;
}

const lineOf = (name: string) => new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'm');
