import type { Store } from '../store/orm.ts';

/** Fields of answers that hold the login of a person. */
const personFields = new Set(['actor', 'assignee', 'author', 'creator', 'login', 'reviewer', 'requested_reviewers']);

/** The logins of people that answers name, in fields of whichever depth. */
export function namedLogins(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || ('is_bot' in value && value.is_bot === true)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    personFields.has(key)
      ? [inner].flat().flatMap((one) => (typeof one === 'string' ? one : namedLogins(one)))
      : namedLogins(inner),
  );
}

/**
 * Answers what takes logins out of texts: those of accounts that this installation knows, and of `others`. Each has one
 * name of its own in all of them, so that two environments called after people stay two.
 */
export async function loginFilter(texts: readonly string[], others: readonly string[], store: Store) {
  const words = new Set(texts.flatMap(listWords));
  const known = await store.names.logins([...words]);
  const found = [...new Set([...known, ...others].map((login) => login.toLowerCase()))].filter((login) =>
    words.has(login),
  );
  const numbers = new Map(found.sort().map((login, index) => [login, index + 1]));
  const longestFirst = found.toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?<![a-z\\d])(${longestFirst.join('|')})(?![a-z\\d])`, 'gi');
  return (text: string): string =>
    found.length === 0 ? text : text.replace(pattern, (login) => `person-${numbers.get(login.toLowerCase())}`);
}

/** Every part of a text that could be a login, in lower case: `preview-ann-lee` has `ann`, `ann-lee` and others. */
function listWords(text: string): string[] {
  const runs = text.toLowerCase().match(/[a-z\d]+([-_][a-z\d]+)*/g) ?? [];
  return runs.flatMap((run) => {
    const parts = run.split(/(?=[-_])/);
    return parts.flatMap((_, from) =>
      parts.slice(from, from + maxParts).map((__, more) =>
        parts
          .slice(from, from + more + 1)
          .join('')
          .replace(/^[-_]/, ''),
      ),
    );
  });
}

/** Logins rarely have more. */
const maxParts = 8;
