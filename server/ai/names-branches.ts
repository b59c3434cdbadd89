/** A shorter one occurs within many words, and is meant only where it is a word of its own. */
const minWordLength = 4;

/** An ordinary word reveals no branch, and occurs in many names. */
const namesBranch = /[^\p{L}]/u;

/** What separates the words of a branch, which slugs spell in their own way. */
const separator = /(?<=[\p{L}\p{M}\p{N}])([^\p{L}\p{M}\p{N}]+)(?=[\p{L}\p{M}\p{N}])/u;

/** Takes branches out of a line, in whatever case, and as the slugs that jobs make of them. */
export function withoutBranches(line: string, branches: readonly string[]): string {
  // The longest first: one may be the beginning of another.
  const spellings = [...new Set(branches)]
    .filter((branch) => namesBranch.test(branch))
    .sort((a, b) => b.length - a.length)
    .map(toSpellingPattern);
  return spellings.length === 0 ? line : line.replace(new RegExp(spellings.join('|'), 'giu'), '[branch]');
}

function toSpellingPattern(branch: string): string {
  // The odd parts are separators. Two ways to read the same sign would let a branch take exponential time.
  const spelled = branch
    .split(separator)
    .map((part, index) => {
      if (index % 2 === 0) return literal(part);
      return /^[-_]+$/.test(part) ? '[-_]+' : `(?:${literal(part)}|[-_]+)`;
    })
    .join('');
  if (branch.length >= minWordLength) return spelled;
  return String.raw`(?<!${inWord}|\p{N}\.)${spelled}(?!${inWord}|\.\p{N})`;
}

/** Scripts that part no words may stand next to one. */
const inWord = String.raw`[\p{Script=Latin}\p{M}\p{N}]`;

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
