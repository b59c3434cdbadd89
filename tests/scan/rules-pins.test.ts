import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const sha = '0123456789abcdef0123456789abcdef01234567';
const digest = `sha256:${'ab'.repeat(32)}`;

const calls = (uses: string) => `on: push\njobs:\n  call:\n    uses: ${uses}\n`;
const inImage = (image: string) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    container: ${image}\n    steps: [{ run: make }]\n`;

describe('SEC-006, an action that follows a branch', () => {
  test.each([
    ['main', 'uses: some/tool@main'],
    ['master, below a folder', 'uses: some/tool/inner@master'],
    ['upper case', 'uses: Some/Tool@HEAD'],
    ['a moving word', 'uses: some/tool@latest'],
    ['a branch of a name of its own', 'uses: some/tool@feature/x'],
    ['a commit cut short', 'uses: some/tool@0123abc'],
    ['a branch that ends in a number', 'uses: some/tool@patch-1'],
    ['another one', 'uses: some/tool@fix-123'],
    ['one below another name', 'uses: some/tool@feature/2'],
    ['a branch that is called as a version', 'uses: some/tool@refs/heads/v1'],
    ['the same, shortened', 'uses: some/tool@heads/v1.2.3'],
    ['quoted', 'uses: "some/tool@develop"'],
    ['with a comment that names a version', 'uses: some/tool@main # v1.2.3'],
  ])('is found: %s', (_name, step) => {
    expect(foundBy('SEC-006', withSteps(step))).toMatchObject([expect.stringMatching(/^6 high build some\/tool/i)]);
  });

  test.each([
    ['a tag', 'uses: some/tool@v4'],
    ['a version without a letter', 'uses: some/tool@1.2.3'],
    ['a version before its release', 'uses: some/tool@v2.0.0-rc.1'],
    ['a tag with a name in front', 'uses: some/tool@tool-v1.2'],
    ['the same without a dot', 'uses: some/tool@tool-v2'],
    ['the same without a letter', 'uses: some/tool@some-tool-1.2'],
    ['a tag of a package', 'uses: some/tool@tool@2'],
    ['a tag by its full name', 'uses: some/tool@refs/tags/v1'],
    ['a release', 'uses: some/tool@releases/1'],
    ['a day', 'uses: some/tool@2026-11-16'],
    ['a version branch', 'uses: some/tool@release/v1'],
    ['a commit', `uses: some/tool@${sha}`],
    ['a commit in upper case', `uses: some/tool@${sha.toUpperCase()}`],
    ['the own repository', 'uses: ./.github/actions/main'],
    ['a container', `uses: docker://alpine@${digest}`],
    ['something computed', `uses: some/tool@\${{ matrix.ref }}`],
    ['no ref at all, which the platform refuses', 'uses: some/tool'],
    ['words in a comment and in a text', 'run: echo "uses some/tool@main" # uses: some/tool@main'],
  ])('is not found: %s', (_name, step) => {
    expect(foundBy('SEC-006', withSteps(step))).toEqual([]);
  });

  test('is found where a workflow is called', () => {
    expect(foundBy('SEC-006', calls('some/tool/.github/workflows/build.yml@main'))).toEqual(['4 high call']);
    expect(foundBy('SEC-006', calls('./.github/workflows/build.yml'))).toEqual([]);
  });

  test('is found once for each place, also behind an alias', () => {
    const text = withSteps('uses: &tool some/tool@main', 'uses: *tool', 'uses: some/tool@main');
    expect(foundBy('SEC-006', text)).toEqual(['6 high build some/tool@main', '8 high build some/tool@main']);
  });
});

describe('SEC-014, an action that is not pinned', () => {
  test.each([
    ['a tag of others', 'uses: some/tool@v4', ['6 medium build some/tool@v4']],
    ['a version branch of others', 'uses: some/tool@release/v1', ['6 medium build some/tool@release/v1']],
    ['the platform’s own', 'uses: actions/checkout@v4', ['6 info build actions/checkout@v4']],
    [
      'the platform’s own in upper case',
      'uses: GitHub/CodeQL-Action/init@v3',
      ['6 info build GitHub/CodeQL-Action/init@v3'],
    ],
  ])('is found: %s', (_name, step, expected) => {
    expect(foundBy('SEC-014', withSteps(step))).toEqual(expected);
  });

  test('is not found: a commit, a branch, the own repository', () => {
    const text = withSteps(`uses: actions/checkout@${sha}`, 'uses: some/tool@main', 'uses: ./action');
    expect(foundBy('SEC-014', text)).toEqual([]);
  });

  test('is found where a workflow is called, unless that workflow insists on its tag', () => {
    expect(foundBy('SEC-014', calls('some/tool/.github/workflows/build.yaml@v2'))).toEqual(['4 medium call']);
    const insists = 'slsa-framework/slsa-github-generator/.github/workflows/generator_generic_slsa3.yml@v2.0.0';
    expect(foundBy('SEC-014', calls(insists))).toEqual([]);
  });
});

describe('SEC-015, an image without its digest', () => {
  test.each([
    ['a tag', 'node:24-slim', ['5 medium build']],
    ['the latest', 'node:latest', ['5 high build']],
    ['no tag', 'registry.example:5000/team/node', ['5 high build']],
    ['a tag from the matrix', `node:\${{ matrix.node }}`, ['5 medium build']],
    ['a quoted name', '"node:24"', ['5 medium build']],
  ])('is found: %s', (_name, image, expected) => {
    expect(foundBy('SEC-015', inImage(image))).toEqual(expected);
  });

  test.each([
    ['a digest', `node:24@${digest}`],
    ['something computed', `\${{ matrix.image }}`],
    ['a digest that is computed', `node@\${{ inputs.digest }}`],
    ['a choice', `\${{ matrix.image || 'node:24' }}`],
    ['no image', '""'],
    ['what the job built itself', 'localhost:5000/app:test'],
  ])('is not found: %s', (_name, image) => {
    expect(foundBy('SEC-015', inImage(image))).toEqual([]);
  });

  test('is found in services, in the longer form, and in a step', () => {
    const text = `on: push
jobs:
  build:
    runs-on: ubuntu-24.04
    container:
      image: node:24
    services:
      db:
        image: postgres
      cache:
        image: valkey@${digest}
    steps:
      - uses: docker://alpine:3.22
      - uses: docker://alpine@${digest}
`;
    expect(foundBy('SEC-015', text)).toEqual([
      '6 medium build',
      '9 high build',
      '13 medium build docker://alpine:3.22',
    ]);
  });
});

describe('SEC-033, what is out of service', () => {
  const on = (runsOn: string) => `on: push\njobs:\n  build:\n    runs-on: ${runsOn}\n    steps: [{ run: make }]\n`;

  test.each([
    ['an image', 'ubuntu-20.04', 4],
    ['in upper case', 'Windows-2019', 4],
    ['of a larger size', 'macos-13-xlarge', 4],
    ['in a list', '[macos-12]', 4],
  ])('is found: %s', (_name, runsOn, line) => {
    expect(foundBy('SEC-033', on(runsOn))).toEqual([`${line} info build`]);
  });

  test.each([
    'ubuntu-24.04',
    'ubuntu-latest',
    'macos-15',
    `\${{ inputs.runner }}`,
    '[self-hosted, linux]',
    'constructor',
  ])('is not found: %s', (runsOn) => expect(foundBy('SEC-033', on(runsOn))).toEqual([]));

  test('is found in a matrix, where it is listed', () => {
    const text = `on: push
jobs:
  build:
    strategy:
      matrix:
        os: [ubuntu-24.04, ubuntu-20.04]
        include:
          - os: macos-12
    runs-on: \${{ matrix.os }}
    steps: [{ run: make }]
`;
    expect(foundBy('SEC-033', text)).toEqual(['6 info build', '8 info build']);
  });

  test.each([
    ['an old version', 'uses: actions/checkout@v3', ['6 info build actions/checkout@v3']],
    ['an exact old version', 'uses: actions/setup-node@v3.8.1', ['6 info build actions/setup-node@v3.8.1']],
    ['a commit whose comment tells', `uses: actions/cache@${sha} # v3.4.0`, [`6 info build actions/cache@${sha}`]],
    ['today’s version', 'uses: actions/checkout@v4', []],
    ['a commit that tells nothing', `uses: actions/cache@${sha}`, []],
    ['a commit with a date', `uses: actions/cache@${sha} # 2026-01-02`, []],
    ['an action nothing is known of', 'uses: some/checkout@v1', []],
  ])('of actions: %s', (_name, step, expected) => {
    expect(foundBy('SEC-033', withSteps(step))).toEqual(expected);
  });
});
