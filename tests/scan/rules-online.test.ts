import { describe, expect, test } from 'vitest';
import type { KnownAction } from '../../server/scan/action-knowledge.ts';
import { onlineRules } from '../../server/scan/rules/online.ts';
import { rules } from '../../server/scan/rules.ts';
import { scanFile } from '../../server/scan/scan.ts';
import { around, foundBy, withSteps } from './found-by.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';
const other = 'f'.repeat(40);

const clean: KnownAction = {
  isArchived: false,
  isBranchAndTag: false,
  commit: sha,
  tags: ['v4.1.2', 'v4'],
  commentedCommit: null,
  isReachable: true,
  advisories: [],
};
/** What is known by use, such as `some/tool@v4`. */
const knowing = (uses: Record<string, Partial<KnownAction>>) => ({
  actions: new Map(Object.entries(uses).map(([key, parts]) => [key, { ...clean, ...parts }])),
});
/** The sentence of the one finding of a rule. */
const detailOf = (id: string, text: string, uses: Record<string, Partial<KnownAction>>) =>
  scanFile('.github/workflows/test.yml', text, { ...around, ...knowing(uses) }, 0).findings.find(
    ({ ruleId }) => ruleId === id,
  )?.detail;
const calls = (uses: string) => `on: push\njobs:\n  call:\n    uses: ${uses}\n`;

describe('SEC-039, an archived action; where all five rules look', () => {
  const archived = { isArchived: true };

  test.each([
    ['a tag', 'uses: some/tool@v4', 'some/tool@v4'],
    ['a branch', 'uses: some/tool@main', 'some/tool@main'],
    ['a commit', `uses: some/tool@${sha}`, `some/tool@${sha}`],
    ['a commit in upper case', `uses: some/tool@${sha.toUpperCase()}`, `some/tool@${sha}`],
    ['a commit with its version', `uses: some/tool@${sha} # v4.1.2`, `some/tool@${sha} v4.1.2`],
    ['a commit with a comment that is no version', `uses: some/tool@${sha} # our favourite`, `some/tool@${sha}`],
    ['quoted', 'uses: "some/tool@v4" # v3', 'some/tool@v4'],
    ['quoted, with a version', `uses: 'some/tool@${sha}' # tag=v4.1.2`, `some/tool@${sha} v4.1.2`],
    ['below a path', 'uses: Some/Tool/deep/inner@v4', 'some/tool@v4'],
  ])('is found: %s', (_name, step, key) => {
    expect(foundBy('SEC-039', withSteps(step), knowing({ [key]: archived }))).toEqual([
      expect.stringMatching(/^6 medium build some\/tool/i),
    ]);
  });

  test('is found where a workflow is called', () => {
    const text = calls('some/tool/.github/workflows/build.yml@v4');
    expect(foundBy('SEC-039', text, knowing({ 'some/tool@v4': archived }))).toEqual(['4 medium call']);
  });

  test.each([
    ['another repository', 'uses: some/other@v4'],
    ['another ref', 'uses: some/tool@v5'],
    ['the same ref in other letters', 'uses: some/tool@V4'],
    ['a local action', 'uses: ./some/tool'],
    ['a container', 'uses: docker://some/tool:v4'],
    ['something computed', `uses: some/tool@\${{ matrix.ref }}`],
    ['no ref', 'uses: some/tool'],
    ['a comment and a text', 'run: echo "some/tool@v4" # uses: some/tool@v4'],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-039', withSteps(step), knowing({ 'some/tool@v4': archived }))).toEqual([]);
  });

  test('is not found in a repository that is not', () => {
    expect(foundBy('SEC-039', withSteps('uses: some/tool@v4'), knowing({ 'some/tool@v4': {} }))).toEqual([]);
  });
});

describe('SEC-034, a version with an advisory', () => {
  const id = 'GHSA-aaaa-bbbb-cccc';
  const advised = (range: string, tags: string[] | null = ['v4.1.2', 'v4']) => ({
    tags,
    advisories: [{ id, range, patched: '4.1.3' }],
  });
  const found = (step: string, key: string, parts: Partial<KnownAction>) =>
    foundBy('SEC-034', withSteps(`uses: some/tool@${step}`), knowing({ [`some/tool@${key}`]: parts }));

  test.each([
    ['up to a version', '<= 4.1.2'],
    ['below a version', '< 4.1.3'],
    ['one version', '= 4.1.2'],
    ['from one to below another', '>= 4.0.0, < 4.1.3'],
    ['from a version on', '>= 0.0.1'],
  ])('is found at a full tag: %s', (_name, range) => {
    expect(found('v4.1.2', 'v4.1.2', advised(range))).toEqual(['6 high build some/tool@v4.1.2']);
  });

  test.each([
    ['below that version', '< 4.1.2'],
    ['an older line', '>= 3.0.0, < 3.9.9'],
    ['a later one', '>= 4.10.0'],
    ['a range that is none', 'everything'],
  ])('is not found at a full tag: %s', (_name, range) => {
    expect(found('v4.1.2', 'v4.1.2', advised(range))).toEqual([]);
  });

  test('a tag that moves, a branch and a commit are the full version on the same commit', () => {
    expect(found('v4', 'v4', advised('< 4.1.3'))).toHaveLength(1);
    expect(found('v4', 'v4', advised('< 4.1.2'))).toEqual([]);
    expect(found('main', 'main', advised('< 4.1.3'))).toHaveLength(1);
    expect(found(sha, sha, advised('< 4.1.3'))).toHaveLength(1);
    expect(found(`${sha} # v4.0.0`, `${sha} v4.0.0`, advised('= 4.1.2'))).toHaveLength(1);
  });

  test('without a full version nothing is known, whatever a comment says', () => {
    expect(found('v4', 'v4', advised('< 5.0.0', ['v4']))).toEqual([]);
    expect(found('v4', 'v4', advised('< 5.0.0', null))).toEqual([]);
    expect(found(`${sha} # v4.1.2`, `${sha} v4.1.2`, advised('< 5.0.0', []))).toEqual([]);
    expect(found('v4.1.2', 'v4.1.2', { advisories: null })).toEqual([]);
  });

  test('a version before its release is older than the release', () => {
    expect(found('v4.1.3-rc.1', 'v4.1.3-rc.1', advised('< 4.1.3'))).toHaveLength(1);
  });

  test('the advisory is named, with the version that ends it', () => {
    const text = withSteps('uses: some/tool@v4');
    expect(detailOf('SEC-034', text, { 'some/tool@v4': advised('< 4.1.3') })).toBe(
      'Version 4.1.2 is affected by GHSA-aaaa-bbbb-cccc (fixed in 4.1.3).',
    );
  });
});

describe('SEC-035, a commit of somebody else', () => {
  const found = (step: string, key: string, isReachable: boolean | null) =>
    foundBy('SEC-035', withSteps(`uses: some/tool@${step}`), knowing({ [`some/tool@${key}`]: { isReachable } }));

  test('is found where no branch and no tag leads to it', () => {
    expect(found(sha, sha, false)).toEqual([`6 critical build some/tool@${sha}`]);
    expect(found(`${sha} # v4.1.2`, `${sha} v4.1.2`, false)).toHaveLength(1);
    const called = calls(`some/tool/.github/workflows/x.yml@${sha}`);
    expect(foundBy('SEC-035', called, knowing({ [`some/tool@${sha}`]: { isReachable: false } }))).toHaveLength(1);
  });

  test.each([
    ['one leads to it', sha, true],
    ['nobody knows', sha, null],
    ['it is named by a tag', 'v4', null],
    ['it is named by a tag that is gone', 'v4', false],
  ])('is not found where %s', (_name, ref, isReachable) => {
    expect(found(ref, ref, isReachable)).toEqual([]);
  });
});

describe('SEC-036, a comment that names another version', () => {
  const found = (comment: string, parts: Partial<KnownAction>, key = comment) =>
    foundBy(
      'SEC-036',
      withSteps(`uses: some/tool@${sha} # ${comment}`),
      knowing({ [`some/tool@${sha} ${key}`]: parts }),
    );

  test.each([
    ['the commit has another tag', 'v4.1.1', {}],
    ['the tag of that name is elsewhere', 'v4.1.1', { tags: [], commentedCommit: other }],
    ['both', 'v3.0.0', { commentedCommit: other }],
    ['a shortened one', 'v3', {}],
    ['without the letter', '4.1.1', {}],
  ])('is found: %s', (_name, comment, parts) => {
    expect(found(comment, parts)).toEqual([`6 info build some/tool@${sha}`]);
  });

  test.each([
    ['the same version', 'v4.1.2', { commentedCommit: sha }],
    ['the same without the letter', '4.1.2', {}],
    ['the version shortened', 'v4', {}],
    ['the version shortened, while its tag went on', 'v4', { tags: ['v4.1.2'], commentedCommit: other }],
    ['a tag with a name in front', '1.2', { tags: ['tool-v1.2'] }],
    ['a version of something else in the repository', 'v1.2.3', { tags: ['other-v7.0.0'] }],
    ['a tag that moves and is elsewhere now', 'v4', { tags: [], commentedCommit: other }],
    ['a tag that nobody knows', 'v4.1.1', { tags: [] }],
    ['a commit that nobody knows', 'v4.1.1', { commit: null, tags: [], commentedCommit: other }],
    ['tags that were not reported', 'v4.1.1', { tags: null, commentedCommit: other }],
    ['the same tag, beyond those that were listed', 'v1.0.0', { tags: ['v9.9.9'], commentedCommit: sha }],
  ])('is not found: %s', (_name, comment, parts) => {
    expect(found(comment, parts)).toEqual([]);
  });

  test('is not found of a tag, nor of words', () => {
    expect(foundBy('SEC-036', withSteps('uses: some/tool@v4 # v3'), knowing({ 'some/tool@v4': {} }))).toEqual([]);
    expect(
      foundBy('SEC-036', withSteps(`uses: some/tool@${sha} # why`), knowing({ [`some/tool@${sha}`]: {} })),
    ).toEqual([]);
  });

  test('both versions are named', () => {
    const text = withSteps(`uses: some/tool@${sha} # v4.1.1`);
    expect(detailOf('SEC-036', text, { [`some/tool@${sha} v4.1.1`]: {} })).toBe(
      'The comment says v4.1.1, the commit is v4.1.2.',
    );
  });
});

describe('SEC-045, a branch and a tag of one name', () => {
  test('is found, and not where there is one of them', () => {
    const text = withSteps('uses: some/tool@v4', 'uses: some/other@v4');
    const both = knowing({ 'some/tool@v4': { isBranchAndTag: true }, 'some/other@v4': {} });
    expect(foundBy('SEC-045', text, both)).toEqual(['6 medium build some/tool@v4']);
    expect(detailOf('SEC-045', text, { 'some/tool@v4': { isBranchAndTag: true } })).toBe('“v4” is the name of both.');
  });
});

test('they are rules like the others, and silent when nobody asked the platform', () => {
  expect(onlineRules.map(({ id }) => id)).toEqual(['SEC-034', 'SEC-035', 'SEC-036', 'SEC-039', 'SEC-045']);
  expect(rules).toEqual(expect.arrayContaining([...onlineRules]));
  const text = withSteps('uses: some/tool@v4', `uses: some/tool@${sha} # v4.1.1`);
  for (const { id } of onlineRules) expect(foundBy(id, text)).toEqual([]);
});

test('a file reports what it uses of other repositories, each ref once, in the letters of the file', () => {
  const text = withSteps(
    'uses: Some/Tool@v4',
    'uses: some/tool/inner@v4',
    'uses: ./here',
    'uses: docker://alpine:3.22',
    'run: make',
    `uses: some/tool@${sha.toUpperCase()} # ratchet:some/tool@v4`,
    `uses: some/tool@\${{ matrix.ref }}`,
  );
  expect(scanFile('a.yml', text, around, 0).actionUses).toEqual([
    { owner: 'some', repo: 'tool', ref: 'v4', isSha: false, kind: 'action', comment: null },
    { owner: 'some', repo: 'tool', ref: sha, isSha: true, kind: 'action', comment: 'v4' },
  ]);
});
