import { likeCredentials } from './credentials.ts';
import type { Workflow } from './workflow.ts';
import { textsBelow } from './yaml.ts';

const mask = '***';
/** No file has more by mistake; of one that does, no text is shown at all. */
const maxSecrets = 200;

/** Takes secrets out of a text that is shown: given ones, however they are written in the file, and key-shaped ones. */
export function createMasker(workflow: Workflow, secrets: Iterable<string>): (text: string) => string {
  const given = [...new Set([...secrets].flatMap(linesIn))];
  if (given.length > maxSecrets) return () => mask;
  const written = given.length === 0 ? [] : spellings(workflow, given);
  const all = [...new Set([...given, ...written])].sort((one, other) => other.length - one.length);
  return (text) => {
    const without = all.reduce((rest, secret) => withoutSecret(rest, secret), text);
    return without.replace(likeCredentials, mask);
  };
}

/** Characters that change what is seen, as their number; what remains on one line. */
export const visible = (text: string): string =>
  text.replace(invisible, (found) => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);

const invisible = /(?!\t)[\p{C}\p{Zl}\p{Zp}]/gu;

const linesIn = (secret: string) =>
  secret
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The same secrets as they are written in the file where escapes or folded lines make them look different. */
function spellings(workflow: Workflow, secrets: readonly string[]): string[] {
  const found: string[][] = [];
  for (const { value, offset, end } of workflow.root ? textsBelow(workflow.root) : []) {
    const raw = workflow.text.slice(offset, end);
    if (raw !== value && secrets.some((secret) => value.includes(secret) && !raw.includes(secret)))
      found.push(linesIn(raw));
  }
  return found.flat();
}

/** A secret of one or two characters must not mask every such character of a text. */
function withoutSecret(text: string, secret: string): string {
  if (secret.length > 3) return text.replaceAll(secret, mask);
  const alone = new RegExp(`(?<!\\w)${secret.replace(/[^\w\s]/g, '\\$&')}(?!\\w)`, 'g');
  return text.replace(alone, mask);
}
