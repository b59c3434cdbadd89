import { describe, expect, test } from 'vitest';
import type { Change } from '../../../server/advisor/patch/change.ts';
import { patched } from './patched.ts';

const job = ['jobs', 'test'];
const timeLimit: Change = { do: 'insert', at: job, key: 'timeout-minutes', value: 40, after: ['runs-on'] };
const failFast: Change = { do: 'remove', at: [...job, 'strategy', 'fail-fast'] };
const step = (index: number) => [...job, 'steps', index];
const sha = '8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60';
const pin = (index: number): Change => ({
  do: 'replace',
  at: [...step(index), 'uses'],
  value: `actions/checkout@${sha}`,
  comment: 'v6.0.1',
});
const credentials: Change = {
  do: 'insert',
  at: [...step(0), 'with'],
  key: 'persist-credentials',
  value: false,
  after: [],
};
const fetchDepth: Change = { do: 'remove', at: [...step(0), 'with', 'fetch-depth'], orEmptyParent: true };
const branches: Change = { do: 'filter-triggers', filters: { push: { branches: ['main'] } } };
const docs: Change = {
  do: 'filter-triggers',
  filters: { push: { 'paths-ignore': ['**/*.md', 'docs/**'] }, pull_request: { 'paths-ignore': ['**/*.md'] } },
};

/** Cases as title, file, changes, and the file or refusal afterwards. */
type Case = [title: string, before: string, changes: Change[], after: string];
const run = (cases: Case[]) =>
  test.each(cases)('%s', (_title, before, changes, after) => expect(patched(before, ...changes)).toBe(after));

describe('the vectors of the contract', () => {
  run([
    [
      'T23 a list of triggers becomes a map',
      'on: [push, pull_request] # both\njobs: {}\n',
      [branches],
      'on: # both\n  push:\n    branches: [main]\n  pull_request:\njobs: {}\n',
    ],
    [
      'T24 CR LF and no last line break',
      'on: push\r\njobs:\r\n  test:\r\n    runs-on: ubuntu-24.04',
      [timeLimit],
      'on: push\r\njobs:\r\n  test:\r\n    runs-on: ubuntu-24.04\r\n    timeout-minutes: 40',
    ],
    [
      'T25 a pinned action keeps its quotes and its comment',
      'jobs:\n  test:\n    steps:\n      - uses: "actions/checkout@v6"  # main tool\n',
      [pin(0)],
      `jobs:\n  test:\n    steps:\n      - uses: "actions/checkout@${sha}"  # v6.0.1 main tool\n`,
    ],
    [
      'T26 a pinned action in braces gets no comment',
      'jobs:\n  test:\n    steps:\n      - {uses: actions/checkout@v6, name: x}\n',
      [pin(0)],
      `jobs:\n  test:\n    steps:\n      - {uses: actions/checkout@${sha}, name: x}\n`,
    ],
    [
      'T27 a shared node',
      'jobs:\n  test:\n    strategy: &s\n      fail-fast: false\n  other:\n    strategy: *s\n',
      [failFast],
      'shared_node 4 6',
    ],
  ]);
});

describe('an entry is inserted', () => {
  run([
    [
      'behind the comments that belong to its neighbour',
      'jobs:\n  test:\n    runs-on: x # why\n      # more of it\n\n    # of the steps\n    steps: []\n',
      [timeLimit],
      'jobs:\n  test:\n    runs-on: x # why\n      # more of it\n    timeout-minutes: 40\n\n    # of the steps\n    steps: []\n',
    ],
    [
      'behind a block text, and last without its neighbour',
      'jobs:\n  test:\n    steps:\n      - run: |\n          a # no comment\n\n\non: push\n',
      [timeLimit],
      'jobs:\n  test:\n    steps:\n      - run: |\n          a # no comment\n    timeout-minutes: 40\n\n\non: push\n',
    ],
    [
      'with the map that it is in, behind `uses`',
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1 # b\n        if: always()\n',
      [credentials],
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1 # b\n        with:\n          persist-credentials: false\n        if: always()\n',
    ],
    [
      'below a key without a value',
      'jobs:\n  test:\n    steps:\n    - uses: a/b@v1\n      with: # nothing yet\n',
      [credentials],
      'jobs:\n  test:\n    steps:\n    - uses: a/b@v1\n      with: # nothing yet\n        persist-credentials: false\n',
    ],
    [
      'in braces',
      'jobs:\n  test:\n    steps:\n      - { uses: a/b@v1, with: { x: 1, } }\n',
      [credentials],
      'jobs:\n  test:\n    steps:\n      - { uses: a/b@v1, with: { x: 1, persist-credentials: false, } }\n',
    ],
    [
      'in braces, with the map that it is in',
      'jobs: {test: {steps: [{uses: a/b@v1, name: x}]}}\n',
      [credentials],
      'jobs: {test: {steps: [{uses: a/b@v1, with: {persist-credentials: false}, name: x}]}}\n',
    ],
    [
      'as far in as its siblings',
      'jobs:\n    test:\n        runs-on: x\n        steps:\n            - uses: a/b@v1\n',
      [timeLimit, credentials],
      'jobs:\n    test:\n        runs-on: x\n        timeout-minutes: 40\n        steps:\n            - uses: a/b@v1\n              with:\n                  persist-credentials: false\n',
    ],
    [
      'behind quoted keys and after a byte-order mark',
      '\uFEFF"jobs":\n  \'test\':\n    "runs-on": x\n',
      [timeLimit],
      '\uFEFF"jobs":\n  \'test\':\n    "runs-on": x\n    timeout-minutes: 40\n',
    ],
  ]);
});

describe('triggers are filtered', () => {
  run([
    ['a word', 'on: push\njobs: {}\n', [branches], 'on:\n  push:\n    branches: [main]\njobs: {}\n'],
    [
      'a list of lines, not further in than its key',
      'on:\n- push # c\n- "pull_request"\njobs: {}\n',
      [docs],
      "on:\n  push: # c\n    paths-ignore:\n    - '**/*.md'\n    - 'docs/**'\n  \"pull_request\":\n    paths-ignore:\n    - '**/*.md'\njobs: {}\n",
    ],
    [
      'a map',
      'on:\n  push:\n    tags: [v1]\n  pull_request: # c\njobs: {}\n',
      [docs],
      "on:\n  push:\n    tags: [v1]\n    paths-ignore:\n      - '**/*.md'\n      - 'docs/**'\n  pull_request: # c\n    paths-ignore:\n      - '**/*.md'\njobs: {}\n",
    ],
    ['braces', 'on: {push: , pull_request: }\n', [branches], 'on: {push: {branches: [main]} , pull_request: }\n'],
    [
      'braces without colons',
      'on: {push, pull_request}\n',
      [branches],
      'on: {push: {branches: [main]}, pull_request}\n',
    ],
    ['an event that does not start it', 'on: [pull_request]\n', [branches], 'unusual_yaml 1'],
  ]);
});

describe('an entry is removed', () => {
  run([
    [
      'with its line and comment, not that above',
      'jobs:\n  test:\n    strategy:\n      # all of them\n      fail-fast: false # see\n      matrix: {a: [1]}\n',
      [failFast],
      'jobs:\n  test:\n    strategy:\n      # all of them\n      matrix: {a: [1]}\n',
    ],
    [
      'from braces, with one comma',
      'jobs:\n  test:\n    strategy: { fail-fast: false, matrix: {a: [1]} }\n',
      [failFast],
      'jobs:\n  test:\n    strategy: { matrix: {a: [1]} }\n',
    ],
    [
      'at the end of a file without a last line break',
      'jobs:\n  test:\n    strategy:\n      matrix: {a: [1]}\n      fail-fast: false',
      [failFast],
      'jobs:\n  test:\n    strategy:\n      matrix: {a: [1]}',
    ],
    [
      'with the map that it leaves empty',
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1\n        with: # all\n          # of it\n          fetch-depth: 0 # all\n      - run: x\n',
      [fetchDepth],
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1\n          # of it\n      - run: x\n',
    ],
    [
      'with the braces that it leaves empty',
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1\n        with: {fetch-depth: 0}\n        if: x\n',
      [fetchDepth],
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1\n        if: x\n',
    ],
    [
      'as the first behind a dash',
      'jobs:\n  test:\n    steps:\n      - with:\n          fetch-depth: 0\n        uses: a/b@v1\n',
      [fetchDepth],
      'jobs:\n  test:\n    steps:\n      - uses: a/b@v1\n',
    ],
    [
      'as an item of a list',
      'jobs:\n  test:\n    needs: [lint, build]\n  other:\n    needs:\n      - lint # quick\n      - build\n',
      [
        { do: 'remove', at: [...job, 'needs', 0], orEmptyParent: true },
        { do: 'remove', at: ['jobs', 'other', 'needs', 0], orEmptyParent: true },
      ],
      'jobs:\n  test:\n    needs: [build]\n  other:\n    needs:\n      - build\n',
    ],
    [
      'as the only item of a list',
      'jobs:\n  test:\n    needs:\n      - lint # quick\n    runs-on: x\n  other:\n    needs: [lint]\n    runs-on: x\n',
      [
        { do: 'remove', at: [...job, 'needs', 0], orEmptyParent: true },
        { do: 'remove', at: ['jobs', 'other', 'needs', 0], orEmptyParent: true },
      ],
      'jobs:\n  test:\n    runs-on: x\n  other:\n    runs-on: x\n',
    ],
  ]);
});

describe('a value is replaced', () => {
  const cron = (value: string): Change => ({ do: 'replace', at: ['on', 'schedule', 0, 'cron'], value });
  const runner: Change = { do: 'replace', at: [...job, 'runs-on'], value: 'ubuntu-24.04-arm' };
  const permissions: Change = { do: 'replace', at: ['permissions'], value: { contents: 'read', packages: 'write' } };
  run([
    [
      'in its quotes, with its comment',
      "on:\n  schedule:\n    - cron: '0 * * * *' # hourly\n",
      [cron('17 */6 * * *')],
      "on:\n  schedule:\n    - cron: '17 */6 * * *' # hourly\n",
    ],
    [
      'by what needs quotes now',
      'on:\n  schedule:\n    - cron: 0 * * * *\n',
      [cron('*/5 * * * *')],
      "on:\n  schedule:\n    - cron: '*/5 * * * *'\n",
    ],
    [
      'by an expression, which needs quotes in braces alone',
      'concurrency: {cancel-in-progress: false}\njobs:\n  test:\n    concurrency:\n      cancel-in-progress: false\n',
      [
        { do: 'replace', at: ['concurrency', 'cancel-in-progress'], value: `\${{ github.event_name == 'push' }}` },
        {
          do: 'replace',
          at: [...job, 'concurrency', 'cancel-in-progress'],
          value: `\${{ github.event_name == 'push' }}`,
        },
      ],
      `concurrency: {cancel-in-progress: '\${{ github.event_name == ''push'' }}'}\njobs:\n  test:\n    concurrency:\n      cancel-in-progress: \${{ github.event_name == 'push' }}\n`,
    ],
    [
      'as a text',
      'jobs:\n  test:\n    runs-on: "灯台🚀 x"\n',
      [runner],
      'jobs:\n  test:\n    runs-on: "ubuntu-24.04-arm"\n',
    ],
    [
      'as an item of a list',
      'jobs:\n  test:\n    runs-on: [ubuntu-latest]\n',
      [{ ...runner, at: [...job, 'runs-on', 0] }],
      'jobs:\n  test:\n    runs-on: [ubuntu-24.04-arm]\n',
    ],
    [
      'by a map',
      'permissions: write-all # for now\non: push\n',
      [permissions],
      'permissions: # for now\n  contents: read\n  packages: write\non: push\n',
    ],
    [
      'by a map in braces',
      '{permissions: write-all, on: push}\n',
      [permissions],
      '{permissions: {contents: read, packages: write}, on: push}\n',
    ],
    ['by the same', 'jobs:\n  test:\n    runs-on: ubuntu-24.04-arm\n', [runner], 'nothing to do'],
    [
      'with a comment where there is none, and before an empty one',
      'jobs:\n  test:\n    steps:\n      - uses: actions/checkout@v6\n      - uses: actions/checkout@v6 #\n',
      [pin(0), pin(1)],
      `jobs:\n  test:\n    steps:\n      - uses: actions/checkout@${sha} # v6.0.1\n      - uses: actions/checkout@${sha} # v6.0.1\n`,
    ],
  ]);
});

describe('what is inserted is written as the file is', () => {
  const group = `\${{ github.workflow }}-\${{ github.event.pull_request.number || github.run_id }}`;
  const concurrency: Change = {
    do: 'insert',
    at: [],
    key: 'concurrency',
    value: { group, 'cancel-in-progress': true },
    after: ['permissions', 'on'],
  };
  const cell = { os: 'windows', node: '18' };
  const matrix = [...job, 'strategy', 'matrix'];
  const exclude: Change = { do: 'insert', at: matrix, key: 'exclude', value: [cell], after: ['node'] };
  const append: Change = { do: 'append', at: [...matrix, 'exclude'], value: cell };
  run([
    [
      'a block of its own, behind the first of its neighbours that is there',
      'on:\n    push:\n        branches: [main]\n    # never tags\n\n# the work\njobs: {}\n',
      [concurrency],
      `on:\n    push:\n        branches: [main]\n    # never tags\nconcurrency:\n    group: ${group}\n    cancel-in-progress: true\n\n# the work\njobs: {}\n`,
    ],
    [
      'braces in braces',
      '{"on": push, "jobs": {}}',
      [concurrency],
      `{"on": push, concurrency: {group: '${group}', cancel-in-progress: true}, "jobs": {}}`,
    ],
    [
      'a list of maps',
      'jobs:\n  test:\n    strategy:\n      matrix:\n        os: [linux, windows]\n        node: ["18", "20"]\n    steps:\n    - run: x\n',
      [exclude],
      'jobs:\n  test:\n    strategy:\n      matrix:\n        os: [linux, windows]\n        node: ["18", "20"]\n        exclude:\n        - os: windows\n          node: \'18\'\n    steps:\n    - run: x\n',
    ],
    [
      'one more item of a list',
      'jobs:\n  test:\n    strategy:\n      matrix:\n        exclude:\n          - os: mac # old\n            # and slow\n    runs-on: x\n',
      [append],
      "jobs:\n  test:\n    strategy:\n      matrix:\n        exclude:\n          - os: mac # old\n            # and slow\n          - os: windows\n            node: '18'\n    runs-on: x\n",
    ],
    [
      'one more item in brackets',
      'jobs: {test: {strategy: {matrix: {exclude: [{os: mac}]}}}}\n',
      [append],
      "jobs: {test: {strategy: {matrix: {exclude: [{os: mac}, {os: windows, node: '18'}]}}}}\n",
    ],
    [
      'names of branches in quotes where they need them',
      'on: push\n',
      [{ do: 'filter-triggers', filters: { push: { branches: ['main', '2.x', '2.0', 'no', "it's"], tags: ['**'] } } }],
      "on:\n  push:\n    branches: [main, 2.x, '2.0', 'no', it's]\n    tags: ['**']\n",
    ],
    [
      'with the line breaks of most lines',
      'on: push\r\njobs:\n  test:\r\n    runs-on: x\r\n',
      [timeLimit],
      'on: push\r\njobs:\n  test:\r\n    runs-on: x\r\n    timeout-minutes: 40\r\n',
    ],
    [
      'behind brackets that close at their key',
      'jobs:\n  test:\n    runs-on: [\n      self-hosted, # ours\n      linux\n    ]\n    steps: []\n',
      [timeLimit],
      'jobs:\n  test:\n    runs-on: [\n      self-hosted, # ours\n      linux\n    ]\n    timeout-minutes: 40\n    steps: []\n',
    ],
  ]);
});
