import { describe, expect, test } from 'vitest';
import { predictEffects } from '../../server/advisor/effects.ts';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import type { DocumentationChange } from '../../server/advisor/kind.ts';
import { type AdvisedRepository, dependsOnChecks, recommend } from '../../server/advisor/recommend.ts';
import { aJob, anAdvisedRepository, anAttempt, day, hour, now } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const file = (on = 'on:\n  push:\n    branches: [main]\n  pull_request:\n', step = 'make test') => `${on}permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - run: ${step}
`;

const midnight = Math.floor(now / day) * day;
const days = Array.from({ length: 50 }, (_, index) => midnight - (50 - index) * day);

/** Each day a pull request with a run, and a push of its merge; every fifth changes documentation alone. */
const attempts: RecordedAttempt[] = days.flatMap((start, index) => {
  const arrivedAt = start + 9 * hour;
  const jobs = () => [aJob('test', arrivedAt, 6)];
  return [
    anAttempt({ arrivedAt, headSha: `head-${index}`, jobs: jobs() }),
    anAttempt({ arrivedAt, event: 'push', headBranch: 'main', headSha: `merge-${index}`, jobs: jobs() }),
  ];
});

const changeOf = (index: number, patterns: readonly string[] | null): DocumentationChange => ({
  shas: [`head-${index}`],
  mergeSha: `merge-${index}`,
  changedFiles: 2,
  patterns,
});

const documentation = days.map((_, index) => changeOf(index, index % 5 === 0 ? ['docs/**', '**/*.md'] : null));

const aRepository = (text: string, parts: Partial<AdvisedRepository> = {}) =>
  anAdvisedRepository({
    files: [{ path: '.github/workflows/ci.yml', text }],
    workflowIds: new Map([['.github/workflows/ci.yml', 7001]]),
    attempts,
    days,
    documentation,
    requiredChecks: [],
    ...parts,
  });

const findIn = (text: string, parts: Partial<AdvisedRepository> = {}) =>
  recommend(aRepository(text, parts)).filter(({ kind, path }) => kind.id === 'ADV-04' && path.endsWith('/ci.yml'));

const reasonsOf = (text: string, parts: Partial<AdvisedRepository> = {}) =>
  findIn(text, parts).map(({ reasons }) => reasons);

describe('runs for documentation alone', () => {
  test('vanish, of pull requests and of their merges', () => {
    const repository = aRepository(file());
    const { recommendations } = predictEffects(repository, recommend(repository), { isPublic: false });
    const one = recommendations.find(({ kind }) => kind.id === 'ADV-04');
    expect(one?.text).toBe('20 of 100 runs were for changes of documentation alone.');
    expect(one?.reasons).toEqual([]);
    expect(one?.evidence).toHaveLength(20);
    expect(one?.effect.history).toMatchObject({ minutesBefore: 600, minutesAfter: 480 });
    expect(one?.effect.demand).toEqual({ units: 100, label: 'updates' });
  });

  test('are none where another pull request with the commit changes something else', () => {
    const other = { ...changeOf(0, null), mergeSha: null };
    expect(findIn(file(), { documentation: [...documentation, other] })[0]?.evidence).toHaveLength(19);
  });

  test.each([
    ['changes were not read', file(), { documentation: null }],
    ['there is no history', file(), { attempts: null }],
    ['there are none', file(), { documentation: [] }],
    ['paths are filtered', file('on:\n  pull_request:\n    paths: [src/**]\n'), {}],
    ['paths are ignored', file('on:\n  push:\n    paths-ignore: [x]\n'), {}],
    ['something else starts it', file('on: workflow_dispatch\n'), {}],
  ] satisfies [string, string, Partial<AdvisedRepository>][])('are not found where %s', (_what, text, parts) => {
    expect(reasonsOf(text, parts)).toEqual([]);
  });

  const failing = attempts.map((one) => (one.headSha === 'head-5' ? { ...one, conclusion: 'failure' as const } : one));
  const again = anAttempt({
    ...failing.find(({ headSha }) => headSha === 'head-5'),
    attempt: 2,
    conclusion: 'success',
    jobs: [],
  });
  test.each([
    ['a required check (T32)', file(), { requiredChecks: ['test'] }, ['required_check']],
    ['checks that are not known (T32)', file(), { requiredChecks: null }, ['required_unknown']],
    ['a step about links', file(undefined, 'npx check-links'), {}, ['tests_documentation']],
    ['a run that failed for good', file(), { attempts: failing }, ['tests_documentation']],
    ['a deployment', file(undefined, 'npm publish'), {}, ['deploys']],
    [
      'fewer than ten runs',
      file('on: pull_request\n'),
      { documentation: documentation.slice(0, 45) },
      ['sample_too_small'],
    ],
    [
      'many large changes',
      file(),
      { documentation: documentation.map((one, index) => (index < 2 ? { ...one, changedFiles: 301 } : one)) },
      ['many_files'],
    ],
  ] satisfies [string, string, Partial<AdvisedRepository>, string[]][])(
    'are not left out beside %s',
    (_what, text, parts, reasons) => {
      expect(reasonsOf(text, parts)).toEqual([reasons]);
    },
  );

  test('may be left out where a job of another file alone is required', () => {
    const beside = (other: string) => ({
      files: [
        { path: '.github/workflows/ci.yml', text: file() },
        { path: '.github/workflows/other.yml', text: other },
      ],
    });
    const other = 'on: push\njobs:\n  other:\n    runs-on: ubuntu-24.04\n    steps: [{run: make}]\n';
    const unnamed = other.replace('  other:\n', `  other:\n    name: \${{ matrix.name }}\n`);
    expect(reasonsOf(file(), { ...beside(other), requiredChecks: ['other'] })).toEqual([[]]);
    const posted = { requiredChecks: ['other', 'codecov/patch'] };
    expect(reasonsOf(file(), { ...beside(other), ...posted })).toEqual([['required_check']]);
    expect(reasonsOf(file(), { ...beside(unnamed), ...posted })).toEqual([['required_check']]);
    expect(reasonsOf(file(), posted)).toEqual([['required_check']]);
  });

  test.each([
    ['of its name', 'name: CI\n', '[Other, CI]', [['starts_others']]],
    ['of its path', '', '.github/workflows/ci.yml', [['starts_others']]],
    ['of another name', 'name: CI\n', '[.github/workflows/ci.yml]', [[]]],
  ])('are not left out where a workflow starts after one %s', (_what, name, names, reasons) => {
    const after = `on: {workflow_run: {workflows: ${names}}}\njobs: {}\n`;
    const files = [
      { path: '.github/workflows/ci.yml', text: name + file() },
      { path: '.github/workflows/release.yml', text: after },
    ];
    expect(reasonsOf(name + file(), { files })).toEqual(reasons);
  });

  test.each([
    ['a file that cannot be read', file(), { hasUnreadFiles: true }, ['files_unread']],
    ['a build of the documentation', file(undefined, 'mdbook build'), {}, ['tests_documentation']],
    ['a target of its name', file(undefined, 'make build_docs'), {}, ['tests_documentation']],
    ['a formatter', file(undefined, 'npx prettier --check .'), {}, ['tests_documentation']],
    ['a step in its folder', file(undefined, 'make\n        working-directory: docs'), {}, ['tests_documentation']],
    ['jobs in its folder', `${file()}defaults:\n  run:\n    working-directory: ./docs\n`, {}, ['tests_documentation']],
    [
      'a job in its folder',
      file().replace('    steps:', '    defaults: {run: {working-directory: docs/site}}\n    steps:'),
      {},
      ['tests_documentation'],
    ],
    ['words that hold it', file(undefined, 'make docker documents'), {}, []],
  ] satisfies [string, string, Partial<AdvisedRepository>, string[]][])(
    'are judged by %s',
    (_what, text, parts, reasons) => {
      expect(reasonsOf(text, parts)).toEqual([reasons]);
    },
  );

  test('may be left out where the failure passed when run again', () => {
    expect(reasonsOf(file(), { attempts: [...failing, again] })).toEqual([[]]);
  });

  test('ask for the required checks only where nothing else excludes them', () => {
    expect(dependsOnChecks(findIn(file(), { requiredChecks: null }))).toBe(true);
    expect(dependsOnChecks(findIn(file(undefined, 'npm publish'), { requiredChecks: null }))).toBe(false);
  });
});

describe('the patch', () => {
  const ignored = (indent: string) => [`+${indent}paths-ignore:`, `+${indent}  - '**/*.md'`, `+${indent}  - 'docs/**'`];
  test.each([
    ['events with filters and without', undefined, [...ignored('    '), ...ignored('    ')]],
    ['one event', 'on: pull_request\n', ['-on: pull_request', '+on:', '+  pull_request:', ...ignored('    ')]],
    [
      'a list of events',
      'on: [push, pull_request]\n',
      ['-on: [push, pull_request]', '+on:', '+  push:', ...ignored('    '), '+  pull_request:', ...ignored('    ')],
    ],
  ])('ignores what occurred, for %s', (_what, on, diff) => {
    const { files: _files, ...around } = aRepository('');
    expect(patchWith('ADV-04', file(on), around)).toEqual({ diff, refused: [] });
  });
});
