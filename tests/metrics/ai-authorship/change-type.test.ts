import { expect, test } from 'vitest';
import { type ChangeWords, getChangeType } from '../../../server/metrics/ai-authorship/comparison/change-type.ts';

const of = (words: Partial<ChangeWords>) => getChangeType({ labels: [], title: null, headBranch: 'topic', ...words });

test('labels decide first, in the order of the types', () => {
  expect(of({ labels: ['documentation'], title: 'fix: a link' })).toBe('docs');
  expect(of({ labels: ['enhancement', 'Bug'] })).toBe('fix');
  expect(of({ labels: ['type: feature'] })).toBe('feature');
  expect(of({ labels: ['kind/bug'] })).toBe('fix');
  expect(of({ labels: ['priority: high'], title: 'feat: more' })).toBe('feature');
});

test('then the prefix of the title', () => {
  expect(of({ title: 'feat(api)!: drop the old path' })).toBe('feature');
  expect(of({ title: 'chore(deps): bump a library', headBranch: 'fix/it' })).toBe('dependency');
  expect(of({ title: 'Fix the login' })).toBe('other');
  expect(of({ labels: null, title: 'ci: run less' })).toBe('chore');
});

test('then the name of the branch', () => {
  expect(of({ headBranch: 'fix/login' })).toBe('fix');
  expect(of({ headBranch: 'codex/refactor-the-parser' })).toBe('refactor');
  expect(of({ headBranch: 'dependabot/npm_and_yarn/vite-8' })).toBe('dependency');
  expect(of({ headBranch: 'fixture-loader' })).toBe('other');
});
