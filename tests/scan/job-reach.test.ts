import { expect, test } from 'vitest';
import type { JobReach } from '../../server/scan/action-uses.ts';
import { reachOfJobs } from '../../server/scan/job-reach.ts';
import { readWorkflow } from '../../server/scan/read-workflow.ts';

const read = (text: string): JobReach[] => reachOfJobs(readWorkflow('.github/workflows/ci.yml', text));
const only = (job: string, top = ''): JobReach => {
  const [first] = read(`on: push\n${top}jobs:\n  build:\n${job.replaceAll(/^/gm, '    ')}\n`);
  if (!first) throw new Error('The file has no job.');
  return first;
};
const steps = (...lines: string[]) => `runs-on: ubuntu-24.04\nsteps:\n${lines.map((line) => `  - ${line}`).join('\n')}`;
const expression = (text: string) => `\${{ ${text} }}`;
const secret = (name: string) => expression(`secrets.${name}`);

test('a secret counts wherever the job or the variables of its workflow name it, in upper case, and each once', () => {
  const job = only(
    [
      `env:\n  A: ${secret('of_job')}`,
      `if: secrets.of_condition != ''`,
      `container:\n  image: x/y\n  credentials:\n    password: ${secret('OF_IMAGE')}`,
      `services:\n  db:\n    image: z\n    env:\n      P: ${secret('OF_SERVICE')}`,
      steps(
        `run: echo ${secret('OF_RUN')} ${secret('of_run')}`,
        `uses: a/b@v1\n    with:\n      token: ${expression("secrets['OF_INPUT']")}`,
        `if: ${secret('OF_STEP')}\n    run: make`,
      ),
    ].join('\n'),
    `env:\n  B: ${secret('OF_WORKFLOW')}\n`,
  );
  expect(job.secrets).toEqual(
    ['CONDITION', 'IMAGE', 'INPUT', 'JOB', 'RUN', 'SERVICE', 'STEP', 'WORKFLOW'].map((one) => `OF_${one}`),
  );
  expect(job.allSecrets).toBe(false);
});

test('the token of the job is no secret, and words that only look like one are none', () => {
  const job = only(steps(`run: echo ${secret('GITHUB_TOKEN')} secrets.NONE ${expression('vars.secrets')}`));
  expect(job).toMatchObject({ secrets: [], allSecrets: false });
});

test.each([
  ['toJSON', 'toJSON(secrets)'],
  ['a computed name', 'secrets[matrix.name]'],
  ['every one', 'join(secrets.*)'],
  ['what does not parse', 'secrets.A &&'],
])('%s may read every secret', (_, text) => {
  expect(only(steps(`run: echo "${expression(text)}"`)).allSecrets).toBe(true);
});

test('what an action is handed are its inputs and all variables around it, not what other steps have', () => {
  const job = only(
    `env:\n  A: ${secret('OF_JOB')}\n${steps(
      `uses: a/b@v1\n    with:\n      token: ${secret('OWN')}`,
      `uses: c/d@v1\n    env:\n      ALL: ${expression('toJSON(secrets)')}`,
      `run: echo ${secret('OTHER')}`,
    )}`,
  );
  expect(job.handed).toEqual([
    { actionKey: 'a/b', path: '', kind: 'action', ref: 'v1', secrets: ['OF_JOB', 'OWN'], allSecrets: false },
    { actionKey: 'c/d', path: '', kind: 'action', ref: 'v1', secrets: ['OF_JOB'], allSecrets: true },
  ]);
  expect(job.secrets).toEqual(['OF_JOB', 'OTHER', 'OWN']);
});

test('more than 200 names are every secret, so that nothing grows with the square of a file', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `  V${index}: ${secret(`S${index}`)}\n`);
  const [few, many] = [200, 201].map((count) => only(steps('uses: a/b@v1'), `env:\n${names(count).join('')}`));
  expect([few?.secrets.length, few?.allSecrets, few?.handed[0]?.allSecrets]).toEqual([200, false, false]);
  expect([many?.secrets.length, many?.allSecrets, many?.handed[0]?.allSecrets]).toEqual([200, true, true]);
});

test('a called workflow has what it is given, and none of the variables', () => {
  const call = (more: string) => only(`uses: a/b/.github/workflows/x.yml@v1\n${more}`, `env:\n  A: ${secret('TOP')}\n`);
  const given = call(`secrets:\n  token: ${secret('GIVEN')}`);
  expect(given).toMatchObject({ secrets: ['GIVEN'], allSecrets: false, calls: { actionKey: 'a/b', ref: 'v1' } });
  expect(given.handed).toMatchObject([{ kind: 'reusable_workflow', secrets: ['GIVEN'], allSecrets: false }]);
  expect(call('secrets: inherit')).toMatchObject({ secrets: [], allSecrets: true, handed: [{ allSecrets: true }] });
  expect(only('uses: ./.github/workflows/x.yml').calls).toEqual({
    actionKey: '',
    path: '.github/workflows/x.yml',
    kind: 'reusable_workflow',
    ref: '',
  });
});

test('scopes of the token are those of the job, else of its file', () => {
  const scopes = (job: string, top = '') => only(`${job}${steps('run: make')}`, top).permissions;
  expect(scopes('')).toBeNull();
  expect(scopes('', 'permissions:\n  contents: write\n  id-token: write\n  issues: none\n')).toEqual({
    contents: 'write',
    'id-token': 'write',
  });
  expect(scopes('permissions: {}\n', 'permissions: write-all\n')).toEqual({});
  expect(scopes('permissions: read-all\n')).toEqual({ '*': 'read' });
  expect(scopes('', 'permissions: write-all\n')).toEqual({ '*': 'write' });
});

test.each([
  ['ubuntu-24.04', 'hosted'],
  ['[self-hosted, linux]', 'self_hosted'],
  ['our-machines', 'unknown'],
  [expression('vars.RUNNER'), 'unknown'],
  [expression("vars.OWN && 'self-hosted' || 'ubuntu-24.04'"), 'self_hosted'],
])('%s is a runner of kind %s', (label, runner) => {
  expect(only(`runs-on: ${label}\nsteps:\n  - run: make`).runner).toBe(runner);
});

test('the environment is written as a word or with its address', () => {
  const of = (written: string) => only(`environment: ${written}\n${steps('run: make')}`).environment;
  expect(of('production')).toBe('production');
  expect(of('\n  name: staging\n  url: https://x.test')).toBe('staging');
  expect(only(steps('run: make')).environment).toBeNull();
});
