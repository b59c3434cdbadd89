import { type ChangeType, changeTypes } from '../classes.ts';

/** What of a pull request says what kind of work it is. Its title is read, and never stored. */
export interface ChangeWords {
  labels: readonly string[] | null;
  title: string | null;
  headBranch: string;
}

/**
 * The kind of work by labels, else by the prefix of the title (Conventional Commits 1.0), else by the name of the branch;
 * contract of the three answers, section 3.5.
 */
export function getChangeType({ labels, title, headBranch }: ChangeWords): ChangeType {
  const ofLabels = new Set((labels ?? []).map(typeOfLabel));
  return (
    changeTypes.find((type) => ofLabels.has(type)) ?? typeOfTitle(title ?? '') ?? typeOfBranch(headBranch) ?? 'other'
  );
}

/** `bug`, and also `type: bug` or `kind/bug`. */
const typeOfLabel = (label: string): ChangeType | undefined =>
  typeOfWord(label.replace(/^(type|kind|category)\s*[:/]\s*/i, ''));

/** `fix(parser)!: …`; what a change of dependencies calls itself stands in the scope. */
function typeOfTitle(title: string): ChangeType | undefined {
  const [, word = '', scope = ''] = /^(\w+)(?:\(([^)]*)\))?!?:/.exec(title.trim()) ?? [];
  return typeOfWord(scope) === 'dependency' ? 'dependency' : typeOfWord(word);
}

/** The first word of the first part of the name, else that of the last part: `fix/login`, `ana/fix-login`. */
function typeOfBranch(branch: string): ChangeType | undefined {
  const parts = branch.split('/');
  const firstWord = (part = '') => part.split(/[-_]/)[0] ?? '';
  return typeOfWord(firstWord(parts[0])) ?? typeOfWord(firstWord(parts.at(-1)));
}

const words: Readonly<Record<Exclude<ChangeType, 'other'>, readonly string[]>> = {
  fix: ['fix', 'bug', 'bugfix', 'hotfix', 'defect', 'regression'],
  feature: ['feature', 'feat', 'enhancement'],
  docs: ['docs', 'doc', 'documentation'],
  test: ['test', 'tests', 'testing'],
  dependency: ['dependency', 'dependencies', 'deps', 'deps-dev', 'dependabot', 'renovate'],
  refactor: ['refactor', 'refactoring', 'perf', 'performance'],
  chore: ['chore', 'build', 'ci', 'style', 'maintenance', 'cleanup'],
};

const typeOfWord = (word: string): ChangeType | undefined =>
  changeTypes.find((type) => type !== 'other' && words[type].includes(word.trim().toLowerCase()));
