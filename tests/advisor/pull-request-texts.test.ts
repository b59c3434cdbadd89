import { describe, expect, test } from 'vitest';
import { kinds } from '../../server/advisor/kinds.ts';
import { codeSpan, sentence } from '../../server/advisor/pull-request/markdown.ts';
import {
  blobId,
  branchName,
  branchNames,
  commitBody,
  hashSubject,
  headline,
} from '../../server/advisor/pull-request/names.ts';

describe('names of people and jobs', () => {
  test.each([
    ['test', '`test`'],
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    ['a\nb  c', '`a b c`'],
  ])('%j is code: %s', (text, expected) => {
    expect(codeSpan(text)).toBe(expected);
  });

  test.each([
    ['36 passing jobs “test” took at most 10.0 min.', '36 passing jobs `test` took at most 10.0 min.'],
    ['Job “@team #1 <b>” ran.', 'Job `@team #1 <b>` ran.'],
    ['Fixes #12 for @ann.', 'Fixes `#12` for `@ann.`'],
    ['See https://evil.example/x now', 'See `https://evil.example/x` now'],
    ['“half of @a', '“half of `@a`'],
    ['See www.evil.example or (GH-12)', 'See `www.evil.example` or `(GH-12)`'],
    ['One\n\n# Two\n- 3', 'One `#` Two - 3'],
  ])('%j mentions and links nothing', (text, expected) => {
    expect(sentence(text)).toBe(expected);
  });
});

describe('a branch', () => {
  const [kind, otherKind] = kinds;
  if (!kind || !otherKind) throw new Error('no kinds');
  const [one, other] = ['0'.repeat(16), '1'.repeat(16)] as const;
  const blobs = { '.github/workflows/a.yml': 'a'.repeat(40), '.github/workflows/b.yml': 'b'.repeat(40) };
  const reversed = Object.fromEntries(Object.entries(blobs).reverse());

  test('is named by what changes and of which contents, in any order', () => {
    expect(branchName([one], kind, blobs)).toMatch(/^advisor\/adv-\d\d-[0-9a-f]{8}$/);
    expect(branchName([one, other], null, blobs)).toMatch(/^advisor\/2-changes-[0-9a-f]{8}$/);
    expect(branchName([other, one], null, reversed)).toBe(branchName([one, other], null, blobs));
    expect(branchName([one], kind, { ...blobs, '.github/workflows/a.yml': 'c'.repeat(40) })).not.toBe(
      branchName([one], kind, blobs),
    );
    expect(hashSubject([one], blobs)).not.toBe(hashSubject([other], blobs));
    expect(branchNames('advisor/x').at(0)).toBe('advisor/x');
    expect(branchNames('advisor/x').at(-1)).toBe('advisor/x-9');
  });

  test('has a commit whose headline is short', () => {
    for (const each of kinds) expect(headline([{ kind: each }])).toMatch(/^CI: [a-z].{3,67}$/);
    expect(headline([{ kind }, { kind: otherKind }])).toBe('CI: 2 changes of workflow files');
  });

  test.each(['closes #12.yml', '[skip ci].yml', '@team.yml', 'ü.yml'])('has a commit that does not name %s', (name) => {
    const change = { kind, path: '.github/workflows/ci.yml', line: 3 };
    expect(commitBody([change, { ...change, path: `.github/workflows/${name}` }])).toBe(
      `${kind.title}: .github/workflows/ci.yml, line 3\n${kind.title}: line 3`,
    );
  });
});

test('the id of a content is that of git', () => {
  expect(blobId('what is up, doc?')).toBe('bd9dbf5aae1a3862dd1526723246b20206e5fc37');
});
