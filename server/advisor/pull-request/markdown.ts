/** Text as code: nothing in it is a mention, a link or markup. Line breaks become spaces. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/**
 * A sentence with names in it as Markdown: what stands in quotes becomes code, and so does every word that would be a
 * mention, a reference or markup.
 */
export const sentence = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .split(/“([^”]*)”/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part) : withoutMarkup(part)))
    .join('');

const withoutMarkup = (text: string): string =>
  text.replace(/\S+/g, (word) => (hasMeaning.test(word) ? codeSpan(word) : word));

const hasMeaning = /[@#<>&*_`[\]\\|~!]|:\/\/|\bwww\.|\bGH-\d/i;
