import { describe, expect, test } from 'vitest';
import { foundBy } from './found-by.ts';

const job = (lines: string, on = 'push') =>
  `on: ${on}\njobs:\n  build:\n${lines
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}`;

describe('SEC-007, a job without a time limit', () => {
  test('is found for each job that has none', () => {
    const text = `on: push
jobs:
  one:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps: [{ run: make }]
  two:
    runs-on: ubuntu-24.04
    steps:
      - run: make
        timeout-minutes: 5
`;
    expect(foundBy('SEC-007', text)).toEqual(['7 info two']);
  });

  test.each([
    ['a hosted runner', 'runs-on: ubuntu-24.04', ['3 info build']],
    ['a runner of one’s own', 'runs-on: [self-hosted, linux]', ['3 medium build']],
    ['one of a group', 'runs-on: { group: big, labels: self-hosted }', ['3 medium build']],
    ['a group that says no more', 'runs-on: { group: big }', ['3 info build']],
    ['one’s own, by an expression', `runs-on: \${{ fromJSON('["self-hosted", "linux"]') }}`, ['3 medium build']],
    [
      'one’s own, under a condition',
      `runs-on: \${{ inputs.own && 'self-hosted' || 'ubuntu-24.04' }}`,
      ['3 medium build'],
    ],
    [
      'a hosted one, by an expression',
      `runs-on: \${{ inputs.own == 'self-hosted' && 'a-1' || 'a-2' }}`,
      ['3 info build'],
    ],
    ['a limit', 'runs-on: ubuntu-24.04\ntimeout-minutes: 5', []],
    ['a limit that is computed', `runs-on: ubuntu-24.04\ntimeout-minutes: \${{ fromJSON(vars.LIMIT) }}`, []],
    ['a called workflow', 'uses: ./.github/workflows/build.yml', []],
    ['a limit in a comment', 'runs-on: ubuntu-24.04 # timeout-minutes: 5', ['3 info build']],
  ])('with %s', (_name, lines, expected) => {
    expect(foundBy('SEC-007', job(lines))).toEqual(expected);
  });
});

describe('SEC-017, pull requests on a runner of one’s own', () => {
  test.each([
    ['pull_request', 'pull_request'],
    ['a list', '[push, pull_request]'],
    ['the privileged kind', 'pull_request_target'],
    ['reviews', '{ pull_request_review: { types: [submitted] } }'],
  ])('is found: %s', (_name, on) => {
    expect(foundBy('SEC-017', job('runs-on: [self-hosted, linux]', on))).toEqual(['4 high build']);
  });

  test('matters less where only members see the repository', () => {
    const text = job('runs-on: self-hosted', 'pull_request');
    expect(foundBy('SEC-017', text, { visibility: 'private' })).toEqual(['4 info build']);
    expect(foundBy('SEC-017', text, { visibility: 'internal' })).toEqual(['4 info build']);
  });

  test.each([
    ['pushes alone', 'push', 'runs-on: self-hosted'],
    ['calls alone', 'workflow_call', 'runs-on: self-hosted'],
    ['a hosted runner', 'pull_request', 'runs-on: ubuntu-24.04'],
    ['a hosted runner of another size', 'pull_request', 'runs-on: ubuntu-24.04-16core'],
    ['a runner that a hosting company makes anew', 'pull_request', 'runs-on: blacksmith-4vcpu-ubuntu-2404'],
    ['something computed', 'pull_request', `runs-on: \${{ vars.RUNNER }}`],
    ['a group', 'pull_request', 'runs-on: { group: big }'],
    ['another event by its condition', '[push, pull_request]', "runs-on: self-hosted\nif: github.event_name == 'push'"],
    ['a branch', '[push, pull_request]', "runs-on: self-hosted\nif: github.ref == 'refs/heads/main'"],
    ['a tag', '[push, pull_request]', "runs-on: self-hosted\nif: startsWith(github.ref, 'refs/tags/')"],
    ['a kind of ref', '[push, pull_request]', "runs-on: self-hosted\nif: github.ref_type == 'tag'"],
    [
      'the own branches',
      'pull_request',
      'runs-on: self-hosted\nif: github.event.pull_request.head.repo.full_name == github.repository',
    ],
    ['no forks', 'pull_request', "runs-on: self-hosted\nif: '!github.event.pull_request.head.repo.fork'"],
  ])('is not found: %s', (_name, on, lines) => {
    expect(foundBy('SEC-017', job(lines, on))).toEqual([]);
  });

  test.each([
    ['a condition on something else', "runs-on: self-hosted\nif: github.repository == 'a/b'"],
    [
      'a condition that lets them in too',
      "runs-on: self-hosted\nif: github.event_name == 'push' || github.event.number",
    ],
    ['the kind of ref they have', "runs-on: self-hosted\nif: github.ref_type == 'branch'"],
  ])('is found in spite of %s', (_name, lines) => {
    expect(foundBy('SEC-017', job(lines, '[push, pull_request]'))).toEqual(['4 high build']);
  });

  test('is not found where a needed job keeps them out', () => {
    const text = `on: [push, pull_request]
jobs:
  gate:
    if: github.event_name != 'pull_request'
    runs-on: ubuntu-24.04
    steps: [{ run: make }]
  build:
    needs: gate
    runs-on: self-hosted
    steps: [{ run: make }]
  after:
    needs: [build]
    if: always()
    runs-on: self-hosted
    steps: [{ run: make }]
`;
    expect(foundBy('SEC-017', text)).toEqual(['14 high after']);
  });

  test('is doubtful for a label nobody knows, and settled for one of a larger runner', () => {
    const text = job('runs-on: our-big-machine', 'pull_request');
    expect(foundBy('SEC-017', text)).toEqual(['4 medium build']);
    expect(foundBy('SEC-017', text, { largerRunnerLabels: ['Our-Big-Machine'] })).toEqual([]);
  });

  test.each([
    ['a list as JSON', `fromJSON('["self-hosted", "linux"]')`],
    ['a text as JSON, for some', `fromJSON(github.event.number && '"self-hosted"' || '"ubuntu-24.04"')`],
    ['one of two', `vars.OWN && 'self-hosted' || 'ubuntu-24.04'`],
    ['in place of a variable', `vars.RUNNER || 'self-hosted'`],
    ['for pull requests', `github.event_name == 'pull_request' && 'self-hosted' || 'ubuntu-24.04'`],
    ['for a repository by its name', `(github.repository == 'a/b') && 'self-hosted' || 'ubuntu-24.04'`],
  ])('is found in an expression: %s', (_name, expression) => {
    const text = job(`runs-on: \${{ ${expression} }}`, '[push, pull_request]');
    expect(foundBy('SEC-017', text)).toEqual(['4 high build']);
  });

  test.each([
    ['hosted either way', `vars.BIG && 'ubuntu-24.04' || fromJSON('["windows-2025"]')`],
    ['one’s own for pushes alone', `github.event_name == 'push' && 'self-hosted' || 'ubuntu-24.04'`],
    ['hosted for pull requests', `github.event_name == 'pull_request' && 'ubuntu-24.04' || 'self-hosted'`],
    ['hosted for forks', `github.event.pull_request.head.repo.fork && 'ubuntu-24.04' || 'self-hosted'`],
    ['a text that is only compared', `vars.RUNNER == 'self-hosted' && 'ubuntu-24.04' || 'windows-2025'`],
    ['JSON that is none', `fromJSON('[self-hosted')`],
    ['a part of a text', `format('{0}-hosted', 'self')`],
  ])('is not found in an expression: %s', (_name, expression) => {
    expect(foundBy('SEC-017', job(`runs-on: \${{ ${expression} }}`, '[push, pull_request]'))).toEqual([]);
  });

  test('is judged for each entry of a matrix alone', () => {
    const listing = (os: string, runsOn = `\${{ matrix.os }}`) =>
      foundBy('SEC-017', job(`strategy:\n  matrix:\n    os: ${os}\nruns-on: ${runsOn}`, 'pull_request'));
    expect(listing('[ubuntu-24.04, our-big-machine]')).toEqual(['6 medium build']);
    expect(listing('[[ubuntu-24.04, our-big-machine]]')).toEqual([]);
    expect(listing('[ubuntu-24.04, [self-hosted, linux]]')).toEqual(['6 high build']);
    expect(listing('[ubuntu-24.04, windows-2025]')).toEqual([]);
    expect(listing('[our-big-machine]', `[ubuntu-24.04, "\${{ matrix.os }}"]`)).toEqual([]);
    expect(listing('[our-big-machine]', `\${{ matrix.os || 'ubuntu-24.04' }}`)).toEqual(['6 medium build']);
  });

  test('is found in a matrix that lists it, not in what an entry of it computes', () => {
    const listing = (os: string) =>
      job(`strategy:\n  matrix:\n    os: [ubuntu-24.04, ${os}]\nruns-on: \${{ matrix.os }}`, 'pull_request');
    expect(foundBy('SEC-017', listing('self-hosted'))).toEqual(['6 high build']);
    expect(foundBy('SEC-017', listing(`"\${{ vars.RUNNER }}"`))).toEqual([]);
  });
});

describe('SEC-041, deployments at the same time', () => {
  const deploying = (more = '', on = 'push') =>
    `on: ${on}\n${more}jobs:\n  site:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: actions/deploy-pages@v4\n`;

  test('is found, unless the workflow or the job keeps them apart', () => {
    expect(foundBy('SEC-041', deploying())).toEqual(['3 info site']);
    expect(foundBy('SEC-041', deploying('concurrency: site\n'))).toEqual([]);
    expect(foundBy('SEC-041', deploying().replace('    steps:', '    concurrency: { group: a }\n    steps:'))).toEqual(
      [],
    );
  });

  test.each([
    ['a called workflow', 'workflow_call'],
    ['releases, of which each has its own version', '{ release: { types: [published] } }'],
    ['tags', '{ push: { tags: ["v*"] }, workflow_dispatch: null }'],
  ])('is not found in %s', (_name, on) => {
    expect(foundBy('SEC-041', deploying('', on))).toEqual([]);
  });

  test('is not found where a condition keeps to versions', () => {
    const on = '{ push: { tags: ["v*"], branches: [main] }, release: { types: [published] } }';
    const withCondition = (condition: string) =>
      deploying('', on).replace('    steps:', `    if: ${condition}\n    steps:`);
    expect(foundBy('SEC-041', withCondition("github.event_name == 'release'"))).toEqual([]);
    expect(foundBy('SEC-041', withCondition("startsWith(github.ref, 'refs/tags/')"))).toEqual([]);
    expect(foundBy('SEC-041', withCondition("github.event_name == 'push'"))).toEqual(['3 info site']);
    const inStep = deploying('', on).replace(/$/, "        if: github.ref_type == 'tag'\n");
    expect(foundBy('SEC-041', inStep)).toEqual([]);
  });

  test.each([
    ['an action', 'uses: pypa/gh-action-pypi-publish@v1'],
    ['a command', 'run: cargo publish --locked'],
    ['a module of Python', 'run: python -m twine upload dist/*'],
  ])('is not found where a registry keeps every version: %s', (_name, step) => {
    const publishing = deploying().replace('uses: actions/deploy-pages@v4', step);
    expect(foundBy('SEC-041', publishing)).toEqual([]);
    expect(foundBy('SEC-041', `${publishing}      - uses: actions/deploy-pages@v4\n`)).toEqual(['3 info site']);
  });

  test('is not found where an image is only built for what is no version', () => {
    const building = (on: string, push: string) =>
      deploying('', on).replace(
        'actions/deploy-pages@v4',
        `docker/build-push-action@v6\n        with: { push: "${push}" }`,
      );
    const push = `\${{ github.event_name != 'pull_request' }}`;
    expect(foundBy('SEC-041', building('{ release: null, pull_request: null }', push))).toEqual([]);
    expect(foundBy('SEC-041', building('{ release: null, pull_request: null }', 'true'))).toEqual(['3 info site']);
    expect(foundBy('SEC-041', building('[push, pull_request]', push))).toEqual(['3 info site']);
  });

  test('is found where tags and branches are pushed', () => {
    expect(foundBy('SEC-041', deploying('', '{ push: { tags: ["v*"], branches: [main] } }'))).toEqual(['3 info site']);
  });
});
