import { describe, expect, test } from 'vitest';
import { findLinks, type LinkWords } from '../../../server/metrics/ai-authorship/links.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';
/** No more of it is stored. */
const kept = '0123456789';

const linksOf = (differences: Partial<LinkWords>, messages: readonly string[] = ['Change it']) =>
  findLinks(
    {
      title: 'Change it',
      body: '',
      labels: [],
      headBranch: 'change',
      commits: messages.map((message) => ({ isMerge: false, message })),
      ...differences,
    },
    { owner: 'octo', repo: 'web' },
  ).map(({ kind, target }) => `${kind} ${target}`);

describe('a revert names what it reverts', () => {
  test.each<[string, Partial<LinkWords>, string[]]>([
    ['by the number that the platform writes', { body: 'Reverts octo/web#12' }, ['reverts #12']],
    ['whatever the case of the name', { body: 'Reverts Octo/Web#12.' }, ['reverts #12']],
    ['of this repository alone', { body: 'Reverts octo/api#12' }, []],
    ['by the number in its title', { title: 'Revert "Add it (#12)"' }, ['reverts #12']],
    ['by the commit that git writes', { body: `This reverts commit ${sha}.` }, [`reverts ${kept}`]],
    ['by the beginning of a commit', { body: `This reverts commit ${sha.slice(0, 10)}.` }, ['reverts 0123456789']],
    ['and what else it names is not reverted', { body: 'Reverts #12, see #11' }, ['reverts #12', 'fixes #11']],
  ])('%s', (_name, differences, expected) => {
    expect(linksOf({ title: 'Revert "Add it"', ...differences })).toEqual(expected);
  });

  test('vector 19: a revert of a revert names the first revert alone', () => {
    expect(linksOf({ title: 'Revert "Revert "Add it (#1)" (#2)"', body: 'Reverts octo/web#2' })).toEqual([
      'reverts #2',
      'fixes #1',
    ]);
  });

  test('where every commit is one, and not where one of several is', () => {
    const message = `Revert "Add it"\n\nThis reverts commit ${sha}.`;
    expect(linksOf({}, [message])).toEqual([`reverts ${kept}`]);
    expect(linksOf({}, [message, 'Add another'])).toEqual([]);
  });
});

test('of digits that may be a secret or a telephone number no more is kept than finds a commit', () => {
  const body = `Broken by ${sha}, token deadbeefdeadbeefdeadbeef, call 4915112345678 or 15551234567.`;
  expect(linksOf({ labels: ['hotfix'], body })).toEqual([`fixes ${kept}`, 'fixes deadbeefde']);
});

describe('a fix names what it puts right', () => {
  test.each<[string, Partial<LinkWords>, string[]]>([
    ['with the label of one', { labels: ['Hotfix'], body: 'After #12' }, ['fixes #12']],
    ['on the branch of one', { headBranch: 'hotfix/login', title: 'Mend #12' }, ['fixes #12']],
    ['by its merge commit', { labels: ['incident'], body: `Broken by ${sha}` }, [`fixes ${kept}`]],
    ['of this repository alone', { labels: ['hotfix'], body: 'octo/api#3, octo/web#4, x#5, &#6; ##7' }, ['fixes #4']],
    ['each once', { labels: ['hotfix'], title: 'Mend #12', body: '#12, #012' }, ['fixes #12']],
  ])('%s', (_name, differences, expected) => expect(linksOf(differences)).toEqual(expected));

  test('but nothing else is one, and its branch and title decide where its labels were not read', () => {
    expect(linksOf({ body: 'Closes #12' })).toEqual([]);
    expect(linksOf({ headBranch: 'feature/revert-button', body: '#12' })).toEqual([]);
    expect(linksOf({ labels: null, headBranch: 'hotfix/login', body: '#12' })).toEqual(['fixes #12']);
    expect(linksOf({ labels: null, body: '#12' })).toEqual([]);
    expect(linksOf({ labels: null, title: 'Revert "Add it"', body: 'Reverts #12' })).toEqual(['reverts #12']);
  });
});
