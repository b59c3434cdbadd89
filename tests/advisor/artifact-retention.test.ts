import { describe, expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { aJob, anAttempt, day, hour, now, only, recommendFor } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const upload = 'uses: actions/upload-artifact@v4\n        with:\n          path: dist\n';
const fileWith = (steps: string[], on = 'pull_request') =>
  `on: ${on}\npermissions: {}\njobs:\n  test:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 9\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;
const text = fileWith(['run: make test', upload]);

/** So many runs that uploaded something, or failed to. */
const runs = (count: number, conclusion: 'success' | 'failure' = 'success'): RecordedAttempt[] =>
  Array.from({ length: count }, (_, index) => {
    const arrivedAt = now - 20 * day + index * hour;
    const step = { name: 'Run actions/upload-artifact@v4', conclusion, startedAt: arrivedAt, completedAt: arrivedAt };
    return anAttempt({ arrivedAt, jobs: [{ ...aJob('test', arrivedAt, 5), steps: [step] }] });
  });

const find = (content = text, around: Parameters<typeof recommendFor>[1] = {}) =>
  only(recommendFor(content, { attempts: runs(30), ...around }), 'ADV-12');

describe('ADV-12 keeps artifacts for fewer days', () => {
  test('counts uploads; what it saves is not known', () => {
    const found = find();
    expect(found).toMatchObject({
      anchor: ['jobs', 'test', 'steps', 1, 'with', 'retention-days'],
      text: 'The workflow uploaded 30 artifacts; those of “test” are kept for as long as the repository keeps them, by default 90 days. Their sizes are not read.',
      sample: 30,
      reasons: [],
      counterfactual: null,
    });
    expect(found?.ceiling).toBeUndefined();
    expect(found?.evidence.length).toBe(30);
  });

  test('needs 30 uploads that were made, and history', () => {
    expect(find(text, { attempts: runs(29) })?.reasons).toEqual(['sample_too_small']);
    expect(find(text, { attempts: runs(30, 'failure') })).toMatchObject({ sample: 0, reasons: ['sample_too_small'] });
    expect(find(text, { attempts: null })).toMatchObject({ sample: 0, reasons: ['history_absent'] });
  });

  test('uploads of several steps of one name count', () => {
    const twice = fileWith([upload, upload.replace('dist', 'logs')]);
    const found = recommendFor(twice, { attempts: runs(30) }).filter(({ kind }) => kind.id === 'ADV-12');
    expect(found.map(({ reasons, sample }) => [reasons, sample])).toEqual([
      [[], 30],
      [[], 30],
    ]);
  });

  test('is none where the number of days is set, or the action has no such input', () => {
    expect(find(text.replace('path: dist', 'path: dist\n          retention-days: 3'))).toBeUndefined();
    expect(
      find(text.replace('path: dist', `path: dist\n          retention-days: \${{ inputs.days }}`)),
    ).toBeUndefined();
    expect(find(text.replace('artifact@v4', 'artifact@v1'))).toBeUndefined();
  });

  test.each([
    ['pull_request', 7],
    ['[pull_request, push]', 30],
    ['[pull_request, workflow_dispatch]', 30],
  ])('a workflow for %s keeps them for %i days', (on, days) => {
    expect(find(fileWith([upload], on))?.changes).toMatchObject([{ key: 'retention-days', value: days }]);
  });

  test.each([
    ['on: [pull_request, release]', 'deploys'],
    ["on: { push: { tags: ['v*'] } }", 'deploys'],
    ['on: [pull_request, workflow_call]', 'called_workflow'],
  ])('%s is not offered', (on, reason) => {
    expect(find(text.replace('on: pull_request', on))?.reasons).toEqual([reason]);
  });

  test('a job that deploys, or may write releases, excludes', () => {
    expect(find(`${text}      - run: npm publish\n`)?.reasons).toEqual(['deploys']);
    expect(find(text.replace('permissions: {}', 'permissions: { contents: write }'))?.reasons).toEqual(['deploys']);
  });

  test.each([
    `uses: actions/download-artifact@v4\n        with: { run-id: 1, github-token: x }`,
    'uses: dawidd6/action-download-artifact@v6',
    'run: gh run download 1',
    `run: curl $URL/repos/o/r/actions/runs/1/artifacts`,
    `run: curl "$URL/actions/runs/\${{ github.event.workflow_run.id }}/artifacts"`,
    `uses: actions/github-script@v7\n        with:\n          script: await github.rest.actions.listWorkflowRunArtifacts({})`,
  ])('another workflow with %j excludes', (step) => {
    const others = { 'other.yml': fileWith([step], 'workflow_run') };
    expect(find(text, { others })?.reasons).toEqual(['artifacts_read']);
  });

  test('a download within the run does not, but a file that cannot be read does', () => {
    const others = { 'other.yml': fileWith(['uses: actions/download-artifact@v4']) };
    expect(find(text, { others })?.reasons).toEqual([]);
    expect(find(text, { hasUnreadFiles: true })?.reasons).toEqual(['files_unread']);
  });

  test.each(['list', 'actions/runs/', 'gh run '])('a text of many %j takes no longer than its length', (part) => {
    const others = { 'other.yml': fileWith([`run: echo ${part.repeat(400_000 / part.length)}`]) };
    expect(find(text, { others })?.reasons).toEqual([]);
  });

  test('thousands of uploads beside long files cost no time', () => {
    const jobs = Array.from(
      { length: 20 },
      (_, job) => `  j${job}:\n    runs-on: x\n    steps:\n${`      - ${upload}`.repeat(150)}`,
    );
    const long = fileWith([`run: echo ${'list '.repeat(80_000)}`]);
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, file) => [`o${file}.yml`, long]));
    const begun = process.cpuUsage();
    recommendFor(`on: pull_request\npermissions: {}\njobs:\n${jobs.join('')}`, { attempts: runs(30), others });
    expect(process.cpuUsage(begun).user).toBeLessThan(20_000_000);
  });

  test('the patch adds one line behind the path', () => {
    const attempts = runs(30);
    expect(patchWith('ADV-12', text, { attempts })).toEqual({
      diff: ['+          retention-days: 7'],
      refused: [],
    });
    const flow = fileWith(['{uses: actions/upload-artifact@v4, with: {path: dist}}']);
    expect(patchWith('ADV-12', flow, { attempts }).diff).toEqual([
      '-      - {uses: actions/upload-artifact@v4, with: {path: dist}}',
      '+      - {uses: actions/upload-artifact@v4, with: {path: dist, retention-days: 7}}',
    ]);
  });

  test('a step shared through an anchor is refused', () => {
    const shared = fileWith([
      '&up\n        uses: actions/upload-artifact@v4\n        with:\n          path: dist\n',
      '*up\n',
    ]);
    expect(patchWith('ADV-12', shared, { attempts: runs(30) })).toMatchObject({ diff: [] });
  });
});
