import { likeCredentials } from '../scan/credentials.ts';
import { withoutBranches } from './names-branches.ts';
import { withoutHosts } from './names-hosts.ts';

/** Longest name in a snapshot, in characters. */
const longestName = 80;

/**
 * Longest text that is searched. Truncation would leave parts that nothing recognizes: of a longer one nothing is
 * stored.
 */
const maxRead = 4000;
const unread = '[too long]';

/** Credentials, by the shapes that issuers give it. */
const credentials = [likeCredentials, /-----BEGIN [A-Z0-9 ]+-----.*/g, /(?:AKIA|ASIA)[A-Z0-9]{16}/g];

/** Long, and of every kind of character within a part: drawn by lot rather than chosen by somebody. */
const drawn = /[\w-]{20,}/g;
const kinds = [/[A-Z]/, /[a-z]/, /\d/];
const isDrawn = (run: string) =>
  run.split(/[-_]/).some((part) => part.length >= 12 && kinds.every((kind) => kind.test(part)));

/**
 * Nothing of this kind leaves in a name, however a writer of the repository spelled it. Each looks at a word from its
 * beginning alone, so that a hostile one takes no time.
 */
const addresses: readonly [RegExp, string][] = [
  [/(?<!\S)\S*:\/\/\S*/g, '[link]'],
  [/\b(?:mailto|javascript|vbscript|data|tel):\S+/gi, '[link]'],
  [/(?<![^\s("'])\/\/\S*/g, '[link]'],
  [/\bwww\.\S+/gi, '[link]'],
  [/(?<!\S)[^\s@]*@\S*\.\p{L}{2,}\S*/gu, '[address]'],
  [/(?<![\p{L}\p{N}.-])[\p{L}\p{N}.-]*[\p{L}\p{N}-]\.[a-z]{2,}(?::\d+)?\/\S*/giu, '[link]'],
];

const others: readonly [RegExp, string][] = [
  [/\brefs\/\S*/gi, '[branch]'],
  [/[0-9a-f]{40,}/gi, '[id]'],
  [/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39}(?![0-9a-z])/gi, '[id]'],
  [/(?<!<)<+(?=[a-z/!?])/gi, ''],
  [/\]\(/g, '] ('],
];

/**
 * A name that writers of a repository chose, made fit for a prompt: one line of at most 80 characters without
 * addresses, hosts, credentials, commit ids, tags and the given branches. What is left is data all the same.
 */
export function cleanName(name: string, branches: readonly (string | null)[] = []): string {
  return Array.from(cleanText(name, branches)).slice(0, longestName).join('').trim();
}

/** A repository or an account, by the signs that the platform allows: `acme.github.io` is one, and no host. */
export const cleanRepository = (name: string): string =>
  /^[\w.-]+(?:\/[\w.-]+)?$/.test(name) ? withoutCredentials(name).slice(0, longestName) : cleanName(name);

/**
 * The same as `cleanName` for a sentence of ours in which such names stand: it is not truncated to the length of a
 * name.
 */
export function cleanText(text: string, branches: readonly (string | null)[] = []): string {
  const line = text.length > maxRead ? unread : oneLine(text);
  if (line.length > maxRead) return unread;
  const secrets = branches.flatMap((branch) => (branch === null ? [] : oneLine(branch)));
  const nameless = withoutCredentials(withoutBranches(line, secrets));
  const clean = replaced(withoutHosts(replaced(nameless, addresses)), others);
  return clean.replace(/\s+/g, ' ').trim();
}

const replaced = (text: string, patterns: readonly [RegExp, string][]): string =>
  patterns.reduce((rest, [pattern, word]) => rest.replace(pattern, word), text);

const withoutCredentials = (text: string): string =>
  credentials
    .reduce((rest, shape) => rest.replace(shape, '[token]'), text)
    .replace(drawn, (run) => (isDrawn(run) ? '[token]' : run));

/** Without line breaks, and without characters that cannot be seen and could hide what they part. */
const oneLine = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{C}+/gu, '')
    .replace(/\s+/g, ' ');
