import { describe, expect, test } from 'vitest';
import type { Change } from '../../../server/advisor/patch/change.ts';
import { formatDiff } from '../../../server/advisor/patch/diff.ts';
import { planSet } from '../../../server/advisor/patch/planned-set.ts';
import { Source } from '../../../server/advisor/patch/source.ts';
import { findDefect } from '../../../server/advisor/patch/verify.ts';
import { passed, patched, path, setOf } from './patched.ts';

const text = 'on: push # always\njobs:\n  a:\n    runs-on: x\n    env: {A: "1"}\n';
const change: Change = { do: 'insert', at: ['jobs', 'a'], key: 'timeout-minutes', value: 5, after: ['runs-on'] };
const source = new Source(text);
const planned = [planSet(source, setOf(change), [])];
const good = text.replace('runs-on: x\n', 'runs-on: x\n    timeout-minutes: 5\n');

/** What is found in a text that claims to be the patched one. */
const defectOf = (after: string, check = passed, diff = formatDiff(path, text, after)) =>
  findDefect(source, planned, { text: after, edits: [], diff }, check);

describe('a patch is verified', () => {
  test('as made', () => expect(defectOf(good)).toBeNull());

  const defects: [what: string, after: string, defect: string][] = [
    ['that does not parse', good.replace('on: push', 'on: [push'), 'it does not parse afterwards'],
    ['that is another document more', `${good}---\n`, 'it does not parse afterwards'],
    ['that changes another value', good.replace('push', 'pull_request'), 'other nodes than those declared differ'],
    ['that changes a kind', good.replace('"1"', '1'), 'other nodes than those declared differ'],
    ['that changes a key', good.replace('env', 'envs'), 'other nodes than those declared differ'],
    ['with another value', good.replace('minutes: 5', 'minutes: 6'), 'other nodes than those declared differ'],
    ['with a text for a number', good.replace('minutes: 5', "minutes: '5'"), 'other nodes than those declared differ'],
    ['in another place', `${text}    timeout-minutes: 5\n`, 'other nodes than those declared differ'],
    ['with a node more', `${good}    if: x\n`, 'other nodes than those declared differ'],
    ['with a tag more', good.replace('"1"', '!x "1"'), 'other nodes than those declared differ'],
    ['with an anchor more', good.replace('"1"', '&x "1"'), 'other nodes than those declared differ'],
    ['that is not made', text, 'other nodes than those declared differ'],
    ['that loses a comment', good.replace(' # always', ''), 'other comments than those declared differ'],
    ['that changes a comment', good.replace('always', 'never'), 'other comments than those declared differ'],
    ['with a comment more', `${good}# more\n`, 'other comments than those declared differ'],
  ];
  test.each(defects)('%s', (_what, after, defect) => expect(defectOf(after)).toBe(defect));

  test('with its diff', () =>
    expect(defectOf(good, passed, formatDiff(path, text, text.replace('x', 'y')))).toBe(
      'the diff does not give the patched text',
    ));

  test('with its finding', () =>
    expect(defectOf(good, { ...passed, isGone: () => false })).toBe('the finding of ADV-01 is still there'));

  test('with the findings of the scan', () =>
    expect(defectOf(good, { ...passed, newFindings: () => ['SEC-001'] })).toBe('it has a new finding: SEC-001'));
});

test('where it fails nothing is changed: blank lines would become part of a text that keeps them', () => {
  const before = 'jobs:\n  a:\n    steps:\n      - run: |+\n          x\n      - run: y\n\n  b: {}\n';
  expect(patched(before, { do: 'remove', at: ['jobs', 'a', 'steps', 1] })).toBe('not_verified 6');
});
