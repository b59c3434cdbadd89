import { describe, expect, test } from 'vitest';
import { type Reach, rankReach, toReach, unreachable } from '../../../../server/reports/exposure/reach/reach.ts';
import type { JobReach, UsedRef } from '../../../../server/scan/action-uses.ts';
import { reachOfJobs } from '../../../../server/scan/job-reach.ts';
import { readWorkflow } from '../../../../server/scan/read-workflow.ts';

const path = '.github/workflows/ci.yml';
const root: UsedRef = { actionKey: 'octo/app', path, kind: 'reusable_workflow', ref: 'head' };
const called: UsedRef = { ...root, actionKey: 'octo/flows', path: '.github/workflows/called.yml', ref: 'v1' };
const local: UsedRef = { ...root, path: '.github/workflows/local.yml' };
const secret = (name: string) => `\${{ secrets.${name} }}`;
const jobsOf = (jobs: string): JobReach[] => reachOfJobs(readWorkflow(path, `on: push\njobs:\n${jobs}`));
const job = (id: string, ...lines: string[]) => [`  ${id}:`, ...lines.map((line) => `    ${line}`)].join('\n');
const use = (name: string, input = '') => [
  'runs-on: ubuntu-24.04',
  'steps:',
  `  - uses: ${name}`,
  ...(input ? ['    with:', `      token: ${input}`] : []),
];
/** A file, with those that it calls; null for one that was not read. */
const fileOf = (...files: [UsedRef, string | null][]) => ({
  uses: files.map(([ref, jobs]) => ({
    ...ref,
    privateSources: [],
    readAt: null,
    ...(jobs === null ? {} : { reach: { jobs: jobsOf(jobs), privateSources: [] } }),
  })),
});
const isSuspect = ({ actionKey }: UsedRef) => actionKey === 'some/tool';
const logged = (name: string, more: object = {}) => ({
  id: 1,
  name,
  startedAt: 0,
  completedAt: 1,
  log: 'complete' as const,
  ...more,
});
const of = (jobs: string, names: (string | object)[] | null = null): Reach =>
  toReach({
    file: fileOf([root, jobs]),
    jobs: names?.map((one) => (typeof one === 'string' ? logged(one) : logged('build', one))) ?? null,
    isSuspect,
  });

describe('a job', () => {
  const two = `${job('build', ...use('some/tool@v1', secret('OWN')), `  - run: echo ${secret('OTHER')}`)}
${job('deploy', 'environment: production', `env: { KEY: "${secret('KEY')}" }`, ...use('other/tool@v1'))}`;

  test('is known by what its matrix says, also with a slash in it', () => {
    const { secrets } = of(two, ['build']);
    expect(of(two, ['build (a / b)'])).toMatchObject({ secrets });
  });

  test('has every secret in reach that any of its steps names, and the suspect is handed its own', () => {
    expect(of(two, ['build'])).toMatchObject({
      jobs: ['build'],
      secrets: ['OTHER', 'OWN'],
      handed: ['OWN'],
      allSecrets: false,
      environments: [],
      runner: 'hosted',
    });
  });

  test('that cannot be found in the file may be any of it', () => {
    const all = { secrets: ['KEY', 'OTHER', 'OWN'], environments: ['production'], handed: ['OWN'] };
    expect(of(two, ['gone'])).toMatchObject(all);
    expect(of(two)).toMatchObject({ ...all, jobs: null });
  });

  test('that uses the suspect in turn hands it what is not known', () => {
    expect(of(two, ['deploy'])).toMatchObject({ secrets: ['KEY'], handed: null });
  });

  test('is found by its name, of a matrix by what is left of it', () => {
    const named = `${job('one', 'name: Build it', ...use('some/tool@v1', secret('A')))}
${job('two', `name: Test \${{ matrix.os }}`, ...use('some/tool@v1', secret('B')))}`;
    expect(of(named, ['Build it']).secrets).toEqual(['A']);
    expect(of(named, ['Build it (22, linux)']).secrets).toEqual(['A']);
    expect(of(named, ['Test linux']).secrets).toEqual(['B']);
    expect(of(named, ['one']).secrets).toEqual(['A', 'B']);
    const alike = `${named}\n${job('three', 'name: Test it', ...use('some/tool@v1', secret('C')))}`;
    expect(of(alike, ['Test it']).secrets).toEqual(['A', 'B', 'C']);
  });

  test('of a name with a slash is found, and where what an expression becomes may have one, any may be it', () => {
    const slash = `${job('one', 'name: Build / it', ...use('some/tool@v1', secret('A')))}
${job('two', ...use('some/tool@v1', secret('B')))}`;
    expect(of(slash, ['Build / it (22)']).secrets).toEqual(['A']);
    const either = `${slash}\n${job('three', `name: Build \${{ matrix.of }}`, ...use('some/tool@v1', secret('C')))}`;
    expect(of(either, ['Build this / that']).secrets).toEqual(['C']);
    expect(of(either, ['Build / it']).secrets).toEqual(['A', 'B', 'C']);
  });

  test('is looked for in no time, whatever its name in the file says', () => {
    const many = job('one', `name: "${`\${{ x }}a`.repeat(40)}!"`, ...use('some/tool@v1', secret('A')));
    const unclosed = job('two', `name: "${`\${{`.repeat(20_000)}"`, ...use('some/tool@v1', secret('B')));
    const startedAt = performance.now();
    expect(of(`${many}\n${unclosed}`, ['a'.repeat(400)]).secrets).toEqual(['A', 'B']);
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });

  test('of an environment that reads every secret has more than the file names', () => {
    const every = job('build', 'environment: production', ...use('some/tool@v1', `\${{ toJSON(secrets) }}`));
    expect(of(every)).toMatchObject({ secrets: ['environment:production/*'], allSecrets: true, handed: ['*'] });
  });
});

describe('where something was not read, nothing is said to be none', () => {
  test('the file', () => {
    const found = { ...unreachable, jobs: ['build'] };
    expect(toReach({ file: null, jobs: [logged('build')], isSuspect })).toEqual(found);
    expect(toReach({ file: fileOf([root, null]), jobs: [logged('build')], isSuspect })).toEqual(found);
  });

  test('a called workflow', () => {
    const calls = (more: string) => job('call', 'uses: octo/flows/.github/workflows/called.yml@v1', more);
    const callOf = (more: string) =>
      toReach({ file: fileOf([root, calls(more)], [called, null]), jobs: null, isSuspect });
    expect(callOf('with: {}')).toMatchObject({ secrets: null, allSecrets: null, environments: null });
    expect(callOf(`secrets: { a: "${secret('A')}" }`)).toMatchObject({ secrets: ['A'], allSecrets: null });
    expect(callOf('secrets: inherit')).toMatchObject({ secrets: null, allSecrets: true });
  });
});

describe('a job of a called workflow', () => {
  const inner = job('inner', ...use('some/tool@v1', secret('ITS')), `  - run: echo ${secret('ELSE')}`);
  const reachOf = (more: string, text = inner, names: string[] | null = null) =>
    toReach({
      file: fileOf([root, job('call', 'uses: octo/flows/.github/workflows/called.yml@v1', more)], [called, text]),
      jobs: names?.map((name) => logged(name)) ?? null,
      isSuspect,
    });

  test('has what it was given, by the names of who gave it', () => {
    expect(reachOf(`secrets: { ITS: "${secret('GIVEN')}" }`)).toMatchObject({
      secrets: ['GIVEN'],
      handed: ['GIVEN'],
      allSecrets: false,
    });
    expect(reachOf('with: {}')).toMatchObject({ secrets: [], handed: [], allSecrets: false });
  });

  test('has every secret where all are inherited', () => {
    expect(reachOf('secrets: inherit')).toMatchObject({ secrets: ['ELSE', 'ITS'], handed: ['ITS'], allSecrets: true });
  });

  test('has those of its environment besides', () => {
    const inEnvironment = job('inner', 'environment: production', ...use('some/tool@v1', secret('ITS')));
    expect(reachOf('with: {}', inEnvironment)).toMatchObject({ secrets: ['ITS'], environments: ['production'] });
  });

  test('is found behind the name of the job that calls it, also in the same repository', () => {
    const twice = `${inner}\n${job('second', ...use('other/tool@v1'))}`;
    expect(reachOf(`secrets: { ITS: "${secret('GIVEN')}" }`, twice, ['call / inner']).handed).toEqual(['GIVEN']);
    expect(reachOf(`secrets: { ITS: "${secret('GIVEN')}" }`, twice, ['call / second']).handed).toBeNull();
    const file = fileOf([root, job('call', 'uses: ./.github/workflows/local.yml', 'secrets: inherit')], [local, inner]);
    expect(toReach({ file, jobs: [logged('call / inner')], isSuspect })).toMatchObject({ allSecrets: true });
  });

  test('that is called by itself ends', () => {
    const again = job('call', 'uses: ./.github/workflows/local.yml');
    const found = toReach({ file: fileOf([root, again], [local, again]), jobs: null, isSuspect });
    expect(found).toMatchObject({ secrets: null, allSecrets: null });
  });
});

describe('the token of a job', () => {
  const plain = job('build', ...use('some/tool@v1', secret('A')));
  const written = job('build', 'permissions: { contents: write, id-token: write }', ...use('some/tool@v1'));
  const grants = (permissions: object | null, secretSource = 'Actions') => ({ grants: { permissions, secretSource } });

  test('has the scopes that the log says, else those of the file, else the default, which is not known', () => {
    expect(of(written, [grants({ issues: 'read' })])).toMatchObject({
      permissions: { issues: 'read' },
      permissionsSource: 'log',
      idToken: true,
    });
    expect(of(written)).toMatchObject({
      permissions: { contents: 'write', 'id-token': 'write' },
      permissionsSource: 'file',
    });
    expect(of(plain)).toMatchObject({ permissions: null, permissionsSource: 'default', idToken: false });
    expect(of(plain, [grants(null)])).toMatchObject({ permissions: null, permissionsSource: 'default' });
  });

  test('has of several jobs of each scope the most', () => {
    const jobs = [grants({ contents: 'read', issues: 'write' }), grants({ contents: 'write', issues: 'read' })];
    expect(of(plain, jobs).permissions).toEqual({ contents: 'write', issues: 'write' });
  });

  test('stands alone where the log says that no secrets were given', () => {
    expect(of(plain, [grants({ contents: 'read' }, 'None')])).toMatchObject({
      secrets: [],
      handed: [],
      allSecrets: false,
    });
    const unread = toReach({ file: null, jobs: [logged('build', grants({}, 'None'))], isSuspect });
    expect(unread).toMatchObject({
      secrets: [],
      allSecrets: false,
      permissions: {},
      permissionsSource: 'log',
      idToken: null,
    });
  });
});

test('the runner that a job had counts before the one that the file names', () => {
  const plain = job('build', ...use('some/tool@v1'));
  expect(of(plain, [{ runner: 'self_hosted' }]).runner).toBe('self_hosted');
  expect(of(plain, [{ runner: 'unknown' }]).runner).toBe('hosted');
});

test('first come every secret and credentials of clouds, then a token that writes, then secrets with a name', () => {
  const base = { ...unreachable, secrets: [], allSecrets: false, idToken: false };
  const ranked = [
    { ...base, allSecrets: true },
    { ...base, permissions: { contents: 'write' as const } },
    { ...base, secrets: ['A'] },
    unreachable,
    { ...base, permissions: { contents: 'read' as const } },
  ].map(rankReach);
  expect(ranked).toEqual([...ranked].sort((one, other) => one - other));
  expect(new Set(ranked).size).toBe(5);
  expect(rankReach({ ...base, permissions: null })).toBe(rankReach(unreachable));
  expect(rankReach({ ...base, permissions: { contents: 'read' }, idToken: null })).toBe(rankReach(unreachable));
  expect(rankReach({ ...base, idToken: true })).toBe(ranked[0]);
});
