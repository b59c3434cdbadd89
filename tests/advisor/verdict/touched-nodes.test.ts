import { expect, test } from 'vitest';
import type { Change } from '../../../server/advisor/patch/change.ts';
import {
  asMerged,
  findWithdrawal,
  isApplied,
  type ProposedChange,
  type Remains,
} from '../../../server/advisor/verdict/proposed.ts';
import { touchedNodes, touchedState } from '../../../server/advisor/verdict/touched-nodes.ts';

const text = `on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-24.04
    strategy:
      fail-fast: false
      matrix: { node: [22, 24] }
    steps:
      - uses: actions/checkout@v6
`;

const limit: Change = { do: 'insert', at: ['jobs', 'test'], key: 'timeout-minutes', value: 40, after: ['runs-on'] };
const failFast: Change = { do: 'remove', at: ['jobs', 'test', 'strategy', 'fail-fast'] };
const pushes: Change = { do: 'filter-triggers', filters: { push: { branches: ['main'] } } };

const limited = text.replace('ubuntu-24.04\n', 'ubuntu-24.04\n    timeout-minutes: 40\n');

test.each([
  ['the change', limit, limited, 'after'],
  ['the change in other words', limit, limited.replace('minutes: 40', 'minutes:   40 # no more'), 'after'],
  ['the change beside others', limit, limited.replace('checkout@v6', 'checkout@v7'), 'after'],
  ['what was there before', limit, text, 'before'],
  ['another value', limit, limited.replace('40', '90'), 'other'],
  ['no such job', limit, text.replace('  test:', '  tests:'), 'other'],
  ['a removed entry', failFast, text.replace('      fail-fast: false\n', ''), 'after'],
  ['an entry that is there again', failFast, text, 'before'],
  [
    'filters beside another event',
    pushes,
    text.replace('[push, pull_request]', '\n  push: { branches: [main] }\n  merge_group:'),
    'after',
  ],
  ['other filters', pushes, text.replace('[push, pull_request]', '{ push: { branches: [main, next] } }'), 'other'],
] as const)('%s is seen', (_name, change, now, standing) => {
  expect(touchedState(touchedNodes(text, [change]), now)).toBe(standing);
});

test('nothing is known of steps, of files that are not read, and of those that hold no map', () => {
  const credentials: Change = {
    do: 'insert',
    at: ['jobs', 'test', 'steps', 0, 'with'],
    key: 'fetch-depth',
    value: 1,
    after: [],
  };
  expect(touchedNodes(text, [credentials])).toEqual([]);
  expect(touchedState([], text)).toBeNull();
  expect(touchedState(touchedNodes(text, [limit]), null)).toBeNull();
});

test('nothing of the file is stored', () => {
  const stored = JSON.stringify(touchedNodes(text, [failFast, limit]));
  expect(stored).not.toMatch(/ubuntu|checkout|"40"|false/);
});

const change: ProposedChange = {
  id: '0123456789abcdef',
  kind: 'ADV-05',
  title: 'Time limits for jobs',
  path: '.github/workflows/ci.yml',
  workflowId: 7001,
  promised: null,
  touched: touchedNodes(text, [limit]),
};

test.each<[string, ProposedChange, Partial<Remains>, string | null]>([
  ['in place', change, { text: limited }, null],
  [
    'in place though the finding of a next step is there',
    { ...change, kind: 'ADV-03' },
    { text: limited, isFound: true },
    null,
  ],
  ['taken back, whatever is found', change, { text }, 'reverted'],
  ['changed such that it is found again', change, { text: limited.replace('40', '360'), isFound: true }, 'reverted'],
  ['changed to something else', change, { text: limited.replace('40', '90') }, 'changed_again'],
  [
    'changed to something else, with a next step',
    { ...change, kind: 'ADV-03' },
    { text: limited.replace('40', '90'), isFound: true },
    'changed_again',
  ],
  ['disabled', change, { text: limited, isDisabled: true }, 'disabled'],
  ['of steps, and found again', { ...change, touched: [] }, { text, isFound: true }, 'reverted'],
  ['of steps, and not found', { ...change, touched: [] }, { text }, null],
  ['in a file that is not read', change, {}, null],
])('a change is %s', (_name, proposed, seen, expected) => {
  expect(findWithdrawal(proposed, { text: null, isFound: false, isDisabled: false, ...seen })).toBe(expected);
});

test('a change that was merged in other words is in place with these, and taken back with what was there before', () => {
  const other = limited.replace('40', '60');
  const merged = asMerged(change, other);
  const withdrawn = (text: string) => findWithdrawal(merged, { text, isFound: false, isDisabled: false });
  expect([other, text, limited].map(withdrawn)).toEqual([null, 'reverted', 'changed_again']);
  expect(asMerged(change, text)).toBe(change);
  expect(asMerged(change, '')).toBe(change);
});

test.each([
  ['as it was recommended', limit, limited, true],
  ['in other words', limit, limited.replace('40', '30'), true],
  ['not', limit, text, false],
  ['not, as the job is gone', limit, text.replace('  test:', '  tests:'), false],
  ['by leaving out what was to be left out', failFast, text.replace('      fail-fast: false\n', ''), true],
  ['not, where another value is there', failFast, text.replace('fail-fast: false', 'fail-fast: true'), false],
] as const)('somebody made a change: %s', (_name, recommended, now, expected) => {
  expect(isApplied({ ...change, touched: touchedNodes(text, [recommended]) }, now)).toBe(expected);
});
