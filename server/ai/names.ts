/** Longest name in a snapshot, in characters. */
const longestName = 80;

/** What is looked at of a name: far more than is kept, and no more than is quickly searched. */
const mostRead = 1000;

/** Nothing of this kind leaves in a name, however a writer of the repository spelled it. */
const redacted: readonly [RegExp, string][] = [
  [/\S*:\/\/\S*/g, '[link]'],
  [/\b(?:mailto|javascript|vbscript|data|tel):\S+/gi, '[link]'],
  [/(?<![^\s("'])\/\/\S*/g, '[link]'],
  [/\bwww\.\S+/gi, '[link]'],
  [/\S*@\S*\.\p{L}{2,}\S*/gu, '[address]'],
  [/(?<![\p{L}\p{N}-])(?:[\p{L}\p{N}-]+\.)+[a-z]{2,}\/\S*/giu, '[link]'],
  [/\brefs\/\S*/gi, '[branch]'],
  [/[0-9a-f]{40,}/gi, '[id]'],
  [/(?<![0-9a-z])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39}(?![0-9a-z])/gi, '[id]'],
  [/<+(?=[a-z/!?])/gi, ''],
  [/\]\(/g, '] ('],
];

/** An ordinary word gives no branch away, and stands in many names. */
const tellsBranch = /[^\p{L}]/u;
const shortestBranch = 4;

/**
 * A name that writers of a repository chose, made fit for a prompt: one line of at most 80 characters without
 * addresses, commit ids, tags and the given branches. What is left is data all the same.
 */
export function cleanName(name: string, branches: readonly (string | null)[] = []): string {
  return Array.from(cleanText(name, branches)).slice(0, longestName).join('').trim();
}

/** The same for a sentence of ours in which such names stand: it is not cut to the length of a name. */
export function cleanText(text: string, branches: readonly (string | null)[] = []): string {
  let clean = oneLine(text);
  for (const branch of secretBranches(branches)) clean = clean.replaceAll(branch, '[branch]');
  for (const [pattern, word] of redacted) clean = clean.replace(pattern, word);
  return clean.replace(/\s+/g, ' ').trim();
}

/** Without line breaks, and without characters that cannot be seen and could hide what they part. */
const oneLine = (text: string): string =>
  text
    .slice(0, mostRead)
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{C}+/gu, '')
    .replace(/\s+/g, ' ');

/** The longest first: one may be the beginning of another. */
const secretBranches = (branches: readonly (string | null)[]): string[] =>
  [...new Set(branches.flatMap((branch) => branch ?? []))]
    .filter((branch) => branch.length >= shortestBranch && tellsBranch.test(branch))
    .sort((a, b) => b.length - a.length);
