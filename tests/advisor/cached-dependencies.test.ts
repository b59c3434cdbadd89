import { describe, expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { watchedSteps } from '../../server/advisor/recommend.ts';
import { aJob, anAttempt, day, hour, now, only, recommendFor } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const checkout = 'uses: actions/checkout@v6';
const fileWith = (steps: string[], on = 'pull_request', job = 'runs-on: ubuntu-24.04') =>
  `on: ${on}\npermissions: {}\njobs:\n  test:\n    ${job}\n    timeout-minutes: 9\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
const ofNode = (version = 'v4', install = 'npm ci') =>
  fileWith([checkout, `uses: actions/setup-node@${version}`, `run: ${install}`, 'run: npm test']);

/** So many runs whose install step took so many seconds. */
const runs = (count: number, seconds: number, name = 'Run npm ci'): RecordedAttempt[] =>
  Array.from({ length: count }, (_, index) => {
    const startedAt = now - 20 * day + index * hour;
    const step = { name, conclusion: 'success' as const, startedAt, completedAt: startedAt + seconds * 1000 };
    return anAttempt({ arrivedAt: startedAt, jobs: [{ ...aJob('test', startedAt, 5), steps: [step] }] });
  });

const known = { rootFiles: ['package.json', 'package-lock.json'], cacheBytes: 0 };
const find = (text: string, around: Parameters<typeof recommendFor>[1] = {}) =>
  only(recommendFor(text, { attempts: runs(30, 41), ...known, ...around }), 'ADV-10');

describe('ADV-10 caches dependencies', () => {
  test('saves no more than the install step takes', () => {
    expect(find(ofNode())).toMatchObject({
      anchor: ['jobs', 'test', 'steps', 1, 'with', 'cache'],
      text: '“test” installs its dependencies without a cache, in a step that takes 41 s (median of 30 runs).',
      sample: 30,
      reasons: [],
      changes: [{ do: 'insert', at: ['jobs', 'test', 'steps', 1, 'with'], key: 'cache', value: 'npm', after: [] }],
      counterfactual: null,
      ceiling: { measure: 'install step, median', value: 41, unit: 's' },
    });
  });

  test('needs no history, and says no more without it', () => {
    expect(find(ofNode(), { attempts: null })).toMatchObject({ sample: 0, reasons: [], ceiling: null });
    expect(find(ofNode(), { attempts: runs(19, 41) })).toMatchObject({ reasons: [], ceiling: null });
    expect(find(ofNode(), { attempts: [] })?.text).toContain('is not recorded');
  });

  test('counts runs, not their attempts', () => {
    const [first, ...others] = runs(30, 41);
    const again = anAttempt({ ...first, attempt: 2 });
    const found = find(ofNode(), { attempts: [...(first ? [first] : []), again, ...others] });
    expect(found).toMatchObject({ sample: 30, facts: [{ label: 'Runs with the install step', value: '30' }, {}] });
    expect(found?.evidence.length).toBe(31);
  });

  test('looks at the times of install steps alone', () => {
    const files = [{ path: '.github/workflows/ci.yml', text: ofNode() }];
    expect(watchedSteps({ files, rootFiles: ['package-lock.json'] })).toEqual(['Run npm ci']);
    expect(watchedSteps({ files, rootFiles: [] })).toEqual([]);
  });

  test.each([
    ['setup-node@v4', 'pnpm/action-setup@v4', 'pnpm i --frozen-lockfile', 'pnpm-lock.yaml', { cache: 'pnpm' }],
    ['setup-node@v6', 'pnpm/action-setup@v4', 'pnpm install', 'pnpm-lock.yaml', { cache: 'pnpm' }],
    ['setup-node@v4', '', 'yarn', 'yarn.lock', { cache: 'yarn' }],
    ['setup-python@v6', '', 'pip install -r requirements.txt', 'requirements.txt', { cache: 'pip' }],
    ['setup-python@v6', '', 'python -m pip install -U -r requirements.txt', 'requirements.txt', { cache: 'pip' }],
    ['setup-python@v6', 'snok/install-poetry@v1', 'poetry install', 'poetry.lock', { cache: 'poetry' }],
    ['setup-java@v5', '', './mvnw -B verify', 'pom.xml', { cache: 'maven' }],
    ['setup-java@v5', '', './gradlew build', 'build.gradle.kts', { cache: 'gradle' }],
    ['setup-dotnet@v4', '', 'dotnet restore --locked-mode', 'packages.lock.json', { cache: true }],
  ])('%s with %j before, then %s and %s', (action, before, install, lock, expected) => {
    const steps = [checkout, ...(before ? [`uses: ${before}`] : []), `uses: actions/${action}`, `run: ${install}`];
    const found = find(fileWith(steps), { rootFiles: [lock] });
    expect(found?.reasons).toEqual([]);
    expect(found?.changes.map((one) => (one.do === 'insert' ? { [one.key]: one.value } : one))).toEqual([expected]);
  });

  test('Bundler installs in the set-up step, and so is offered where nothing stands between', () => {
    const steps = [checkout, 'uses: ruby/setup-ruby@v1', 'run: bundle install'];
    const ofRuby = (between: string[]) => fileWith(steps.toSpliced(2, 0, ...between));
    const around = { rootFiles: ['Gemfile.lock'] };
    expect(find(ofRuby([]), around)).toMatchObject({ reasons: [], changes: [{ key: 'bundler-cache', value: true }] });
    expect(find(ofRuby(['run: sudo apt-get install libpq-dev']), around)?.reasons).toEqual(['set_up_later']);
  });

  test.each([
    ['without a lock file at the root', ofNode(), { rootFiles: ['package.json'] }],
    ['where the root cannot be read', ofNode(), { rootFiles: null }],
    ['with another lock file', ofNode(), { rootFiles: ['yarn.lock'] }],
    ['without an install step', ofNode('v4', 'npm run lint'), {}],
    ['for one package', ofNode('v4', 'npm install -g npm'), {}],
    ['in another folder', ofNode('v4', 'cd web && npm ci'), {}],
    ['in another folder of the step', `${ofNode('v4', 'npm ci\n        working-directory: web')}`, {}],
    [
      'in another folder of the job',
      ofNode().replace('    steps:', '    defaults: { run: { working-directory: x } }\n    steps:'),
      {},
    ],
    ['with the input', ofNode('v4\n        with: { cache: npm }'), {}],
    ['with the input, switched off', ofNode('v6\n        with: { package-manager-cache: false }'), {}],
    ['where the language is set up later', fileWith([checkout, 'run: npm ci', 'uses: actions/setup-node@v4']), {}],
  ])('is none %s', (_, text, around) => {
    expect(find(text, around)).toBeUndefined();
  });

  test.each([
    ['setup-node@v4', 'yarn --version', 'yarn.lock'],
    ['setup-node@v4', 'yarn -v', 'yarn.lock'],
    ['setup-java@v5', 'mvn --version', 'pom.xml'],
    ['setup-java@v5', './mvnw -v', 'pom.xml'],
    ['setup-java@v5', 'mvn -B -f sub/pom.xml verify', 'pom.xml'],
    ['setup-java@v5', 'mvn --file=sub/pom.xml verify', 'pom.xml'],
    ['setup-java@v5', './gradlew -p sub build', 'build.gradle'],
    ['setup-java@v5', './gradlew build --project-dir sub', 'build.gradle'],
    ['setup-java@v5', 'sbt -version', 'build.sbt'],
  ])('%s: %j installs nothing at the root', (action, command, lock) => {
    const steps = [checkout, `uses: actions/${action}`, `run: ${command}`];
    expect(find(fileWith(steps), { rootFiles: [lock] })).toBeUndefined();
  });

  test.each(['mvn', 'mvn -B -ff -pl core verify', './mvnw --fail-fast verify'])(
    '%j installs at the root',
    (command) => {
      const steps = [checkout, 'uses: actions/setup-java@v5', `run: ${command}`];
      expect(find(fileWith(steps), { rootFiles: ['pom.xml'] })?.reasons).toEqual([]);
    },
  );

  const pinned = `${'a'.repeat(40)}`;
  test.each([
    [ofNode('v5'), 'already_cached'],
    [ofNode('v6'), 'already_cached'],
    [ofNode().replace('- run: npm ci', '- uses: actions/cache@v4\n      - run: npm ci'), 'already_cached'],
    [ofNode(pinned), 'version_unknown'],
    [ofNode('v2'), 'version_unknown'],
    [fileWith(['uses: actions/setup-node@v4', checkout, 'run: npm ci']), 'set_up_later'],
    [ofNode().replace('checkout@v6', 'checkout@v6\n        with: { path: web }'), 'set_up_later'],
    [ofNode().replace('checkout@v6', 'checkout@v6\n        with: { repository: octo/tools }'), 'set_up_later'],
    [ofNode().replace('on: pull_request', 'on: [pull_request, workflow_call]'), 'called_workflow'],
    [ofNode().replace('on: pull_request', 'on: release'), 'deploys'],
    [`${ofNode()}      - run: npm publish\n`, 'deploys'],
    [ofNode().replace('on: pull_request', 'on: pull_request_target'), 'privileged'],
    [ofNode().replace('ubuntu-24.04', '[self-hosted, linux]'), 'self_hosted'],
    [ofNode().replace('ubuntu-24.04', 'big-machine'), 'self_hosted'],
    [ofNode().replace('ubuntu-24.04', `\${{ inputs.runner }}`), 'self_hosted'],
  ])('%j is not offered', (text, reason) => {
    expect(find(text)?.reasons).toEqual([reason]);
  });

  test('a pinned version is known by its comment', () => {
    expect(find(ofNode(`${pinned} # v4.4.0`))?.reasons).toEqual([]);
  });

  test('pnpm and Poetry must be there before, and Corepack enabled', () => {
    const reasons = (steps: string[], lock: string) =>
      find(fileWith([checkout, ...steps]), { rootFiles: [lock] })?.reasons;
    const pnpm = ['uses: actions/setup-node@v4', 'uses: pnpm/action-setup@v4', 'run: pnpm i'];
    expect(reasons(pnpm, 'pnpm-lock.yaml')).toEqual(['set_up_later']);
    expect(reasons(['run: corepack enable', ...pnpm], 'pnpm-lock.yaml')).toEqual([]);
    const yarn = ['uses: actions/setup-node@v4', 'run: corepack enable', 'run: yarn install --immutable'];
    expect(reasons(yarn, 'yarn.lock')).toEqual(['set_up_later']);
    const poetry = ['uses: actions/setup-python@v6', 'run: pipx install poetry', 'run: poetry install'];
    expect(reasons(poetry, 'poetry.lock')).toEqual(['set_up_later']);
    expect(reasons(['run: pipx install poetry', ...poetry], 'poetry.lock')).toEqual([]);
  });

  test.each([
    ['setup-python@v6', 'poetry', 'poetry install', 'poetry.lock'],
    ['setup-python@v6', 'pipenv', 'pipenv install', 'Pipfile.lock'],
  ])('%s: a long command before takes no longer than its length', (action, tool, install, lock) => {
    const reasons = (command: string) =>
      find(fileWith([checkout, `run: ${command}`, `uses: actions/${action}`, `run: ${install}`]), {
        rootFiles: [lock],
      })?.reasons;
    expect(reasons(`echo ${'install '.repeat(50_000)}`)).toEqual(['set_up_later']);
    expect(reasons(`python3 -m pip install --user ${tool}`)).toEqual([]);
  });

  test('is not offered where the caches are nearly full, or what they take is not known', () => {
    expect(find(ofNode(), { cacheBytes: 8 * 1024 ** 3 })?.reasons).toEqual([]);
    expect(find(ofNode(), { cacheBytes: 8 * 1024 ** 3 + 1 })?.reasons).toEqual(['caches_full']);
    expect(find(ofNode(), { cacheBytes: null })?.reasons).toEqual(['caches_unknown']);
  });

  test('the patch adds the entry, and `with` where there is none', () => {
    expect(patchWith('ADV-10', ofNode(), known)).toEqual({
      diff: ['+        with:', '+          cache: npm'],
      refused: [],
    });
    const given = ofNode('v4 # LTS\n        with:\n          node-version: 24');
    expect(patchWith('ADV-10', given, known).diff).toEqual(['+          cache: npm']);
    const flow = fileWith([checkout, '{uses: actions/setup-node@v4, with: {node-version: 24}}', 'run: npm ci']);
    expect(patchWith('ADV-10', flow, known).diff).toEqual([
      '-      - {uses: actions/setup-node@v4, with: {node-version: 24}}',
      '+      - {uses: actions/setup-node@v4, with: {node-version: 24, cache: npm}}',
    ]);
  });

  test('several jobs are patched together', () => {
    const text = ofNode();
    const second = text.slice(text.indexOf('  test:')).replace('  test:', '  lint:');
    expect(patchWith('ADV-10', text + second, known).diff.length).toBe(4);
  });
});
