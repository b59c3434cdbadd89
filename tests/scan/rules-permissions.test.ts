import { describe, expect, test } from 'vitest';
import { foundBy, withSteps } from './found-by.ts';

const jobs = (...bodies: string[]) => `jobs:\n${bodies.map(asJob).join('')}`;
const asJob = (body: string, index: number) =>
  `  job${index + 1}:\n    runs-on: ubuntu-24.04\n${body}    steps: [{ run: make }]\n`;
const own = '    permissions: { contents: read }\n';

describe('SEC-008, permissions that are not set', () => {
  test('is found once, at the first job without its own', () => {
    expect(foundBy('SEC-008', `on: push\n${jobs(own, '', '')}`)).toEqual(['7 medium job2']);
  });

  test.each([
    ['every job has its own', `on: push\n${jobs(own, own)}`],
    ['the workflow has them', `on: push\npermissions: read-all\n${jobs('')}`],
    ['the workflow has none at all', `on: push\npermissions: {}\n${jobs('')}`],
    ['the caller sets them', `on: workflow_call\n${jobs('')}`],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-008', text)).toEqual([]);
  });

  test('is found where a workflow can also be called', () => {
    expect(foundBy('SEC-008', `on: [workflow_call, push]\n${jobs('')}`)).toEqual(['3 medium job1']);
  });
});

describe('SEC-016, a token that may write more than its job needs', () => {
  test.each([
    ['write-all', `on: push\npermissions: write-all\n${jobs('')}`, ['2 high']],
    ['write-all of a job', `on: push\n${jobs('    permissions: write-all\n')}`, ['5 high job1']],
    ['writing for two jobs', `on: push\npermissions: { contents: write }\n${jobs('', '')}`, ['2 high']],
    ['signing in for two jobs', `on: push\npermissions:\n  id-token: write\n${jobs('', '', own)}`, ['2 high']],
    ['signing in for the only job', `on: push\npermissions:\n  id-token: write\n${jobs('')}`, ['2 info']],
  ])('is found: %s', (_name, text, expected) => {
    expect(foundBy('SEC-016', text)).toEqual(expected);
  });

  test.each([
    ['writing for the only job', `on: push\npermissions: { contents: write }\n${jobs('')}`],
    ['writing for the only job without its own', `on: push\npermissions: { contents: write }\n${jobs('', own)}`],
    ['reading', `on: push\npermissions: read-all\n${jobs('', '')}`],
    ['writing in a job', `on: push\npermissions: {}\n${jobs('    permissions: { contents: write }\n', '')}`],
    ['nothing inherited', `on: push\npermissions: write-all\n${jobs(own)}`],
    ['in a comment', `on: push\npermissions: {} # write-all\n${jobs('', '')}`],
  ])('is not found: %s', (_name, text) => {
    expect(foundBy('SEC-016', text)).toEqual([]);
  });
});

describe('SEC-043, a token of an app that is not narrowed', () => {
  const token = (inputs: string) =>
    withSteps(`uses: actions/create-github-app-token@v2\nwith:\n  client-id: a\n${inputs}`);
  const title = 'build actions/create-github-app-token@v2';

  test.each([
    ['every repository of an owner', `  owner: \${{ github.repository_owner }}`, [`6 medium ${title}`]],
    ['every repository, with less rights', '  owner: me\n  permission-issues: write', [`6 medium ${title}`]],
    ['every permission in this repository', '', [`6 info ${title}`]],
    ['every permission in named ones', '  owner: me\n  repositories: one,two', [`6 info ${title}`]],
    ['narrowed in both', '  owner: me\n  repositories: one\n  permission-contents: read', []],
    ['narrowed in this repository', '  permission-contents: read', []],
  ])('%s', (_name, inputs, expected) => {
    expect(foundBy('SEC-043', token(inputs))).toEqual(expected);
  });

  test('is found for the older action, and not for others', () => {
    expect(foundBy('SEC-043', withSteps('uses: tibdex/github-app-token@v2'))).toHaveLength(1);
    const narrowed = 'uses: tibdex/github-app-token@v2\nwith:\n  permissions: "{}"';
    expect(foundBy('SEC-043', withSteps(narrowed, 'uses: some/app-token@v1'))).toEqual([]);
  });
});
