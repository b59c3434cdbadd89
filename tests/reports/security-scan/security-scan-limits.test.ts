import { describe, expect, test } from 'vitest';
import { freshService } from '../../api/endpoints.ts';

const visit = freshService();

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;

const path = (name: string) => `.github/workflows/${name}`;
const ask = (query: string) => visit.service.ask('GET', `/api/codehost/security-scan?${query}`, { as: 'token-ann' });
const of = (repo: string) => `owner=octo&repo=${repo}`;
const put = (name: string, text: string) => visit.service.double.putWorkflowFile('octo/api', path(name), text);
const job = (steps: string) => `permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
${steps}`;

describe('limits', () => {
  test('what is too large for the repository is named, and scanned by the next request', async () => {
    const large = (n: number) => `on: push # ${n}\n${'#'.repeat(500_000)}\n`;
    for (let n = 0; n < 9; n++) put(`large-${n}.yml`, large(n));
    put('ci.yml', `on: push\n${job('      - uses: org/x@main\n')}`);
    const first = await ask(of('api'));
    expect(first.body).toMatchObject({ workflows_found: 10, partial: true, overall_score_partial: true });
    expect(first.body.not_scanned.map(({ reason }: Answer) => reason)).toContain('repository_size');
    expect(first.body.by_severity.high).toMatchObject([{ rule_id: 'SEC-006' }]);
    const { runs } = JSON.parse((await ask(`${of('api')}&format=sarif`)).text);
    expect(runs[0].results.map(({ ruleId }: Answer) => ruleId)).toContain('SEC-006');
    const { body } = await ask(of('api'));
    expect(body).toMatchObject({ not_scanned: [], partial: false, overall_score_partial: false });
  });

  test('of more than two thousand findings the worst are reported', async () => {
    for (let n = 0; n < 3; n++)
      put(`many-${n}.yml`, `on: push # ${n}\n${job('      - run: curl x | sh\n'.repeat(900))}`);
    put('zz.yml', `on: pull_request_target\n${job('      - run: make\n')}`);
    const { body } = await ask(of('api'));
    expect(body).toMatchObject({
      total_findings: 2000,
      high_count: 1,
      medium_count: 1999,
      partial: true,
      not_scanned: [],
    });
  });

  test('a file of more than 512,000 bytes is not scanned, its neighbours are', async () => {
    put('huge.yml', `on: push\n${'#'.repeat(512_000)}`);
    put('ci.yml', `on: push\n${job('      - uses: org/x@main\n')}`);
    const { body } = await ask(of('api'));
    expect(body.not_scanned).toMatchObject([{ file_path: path('huge.yml'), reason: 'too_large' }]);
    expect(body).toMatchObject({ partial: true, high_count: 1 });
    const { runs } = JSON.parse((await ask(`${of('api')}&format=sarif`)).text);
    expect(JSON.stringify(runs[0].invocations)).toContain('it is larger than 512,000 bytes');
  });
});

const traits = [
  'pinned_actions',
  'has_permissions',
  'has_timeout',
  'echoes_secrets',
  'secrets_as_cli_args',
  'unquoted_dispatch_inputs',
  'uses_pull_request_target',
];

test('a file that cannot be read has every field in the type of the contract', async () => {
  put('broken.yml', 'on: push\njobs: [\n');
  visit.service.double.putWorkflowFile('octo/api', path('ci.yml'), { isBinary: true });
  const { body } = await ask(of('api'));
  for (const { score, findings, unpinned_actions: unpinned, ...file } of body.results) {
    expect([typeof score, Array.isArray(findings), unpinned]).toEqual(['number', true, []]);
    for (const trait of traits) expect([trait, typeof file[trait]]).toEqual([trait, 'boolean']);
  }
  expect(body).toMatchObject({ overall_score: null, status: 'unreadable' });
});
