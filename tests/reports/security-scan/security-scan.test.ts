import { describe, expect, test } from 'vitest';
import { expectProblem, freshService } from '../../api/endpoints.ts';
import { startService } from '../../support/service.ts';

const visit = freshService();

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;

const path = (name: string) => `.github/workflows/${name}`;
const ask = (query: string, as = 'token-ann', headers: Record<string, string> = {}) =>
  visit.service.ask('GET', `/api/codehost/security-scan?${query}`, { as, headers });
const of = (repo: string) => `owner=octo&repo=${repo}`;
const put = (name: string, text: string, repo = 'octo/api') =>
  visit.service.double.putWorkflowFile(repo, path(name), text);
/** The only workflow of octo/api, and what is found in it. */
async function findingsIn(text: string): Promise<Answer[]> {
  put('ci.yml', text);
  const { status, body } = await ask(of('api'));
  expect([status, body.workflows_found]).toEqual([200, 1]);
  return body.results[0].findings;
}
const idsIn = async (text: string) => (await findingsIn(text)).map(({ rule_id }) => rule_id);

const job = (steps: string) => `permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
${steps}`;
const title = `\${{ github.event.issue.title }}`;

describe('what is found', () => {
  test.each(['on: pull_request_target', 'on: [push, pull_request_target]'])('%s is SEC-001', async (trigger) => {
    expect(await idsIn(`${trigger}\n${job('      - run: make\n')}`)).toContain('SEC-001');
  });

  test('a word in a comment is nothing', async () => {
    expect(await idsIn(`on: push # not pull_request_target\n${job('      - run: make\n')}`)).toEqual([]);
  });

  test('the title of an issue in a block of commands is SEC-012, critical, with its line and step', async () => {
    const steps = `      - name: Greet\n        run: |\n          echo one\n          echo "${title}"\n`;
    const found = await findingsIn(`on: issues\n${job(steps)}`);
    expect(found.filter(({ rule_id }) => rule_id === 'SEC-012')).toMatchObject([
      {
        severity: 'critical',
        line: 11,
        job: 'build',
        step: 'Greet',
        context: `echo "${title}"`,
        file_path: path('ci.yml'),
      },
    ]);
  });

  test('the same handed over by the environment and quoted is nothing', async () => {
    const steps = `      - env:\n          TITLE: ${title}\n        run: echo "$TITLE"\n`;
    expect(await idsIn(`on: issues\n${job(steps)}`)).not.toContain('SEC-012');
  });

  test('actions are judged by what they are pinned to', async () => {
    const sha = '8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60';
    const uses = (what: string) =>
      findingsIn(`on: push\n${job(`      - uses: ${what}\n        with: { persist-credentials: false }\n`)}`);
    expect(await uses('actions/checkout@v4')).toMatchObject([{ rule_id: 'SEC-014', severity: 'info' }]);
    visit.service.clock.advance(300_000);
    expect(await uses(`actions/checkout@${sha}`)).toEqual([]);
    visit.service.clock.advance(300_000);
    expect(await uses('org/x@main')).toMatchObject([{ rule_id: 'SEC-006', severity: 'high' }]);
  });

  test('permissions of every job are enough', async () => {
    const own = job('      - run: make\n')
      .replace('permissions: {}\n', '')
      .replace('    steps:', '    permissions: {}\n    steps:');
    expect(await idsIn(`on: push\n${own}`)).not.toContain('SEC-008');
  });

  test('code of a stranger run with privileges is critical, and caps the scores', async () => {
    const steps = `      - uses: actions/checkout@v4\n        with:\n          ref: \${{ github.event.pull_request.head.sha }}\n      - run: npm ci\n`;
    put('ci.yml', `on: pull_request_target\n${job(steps)}`);
    for (const name of ['a.yml', 'b.yml', 'c.yml']) put(name, `on: push\n${job('      - run: make\n')}`);
    const { body } = await ask(of('api'));
    const [risky] = body.results.filter(({ file_path }: Answer) => file_path === path('ci.yml'));
    expect(risky.findings.map(({ rule_id }: Answer) => rule_id)).toEqual(
      expect.arrayContaining(['SEC-001', 'SEC-011']),
    );
    expect(risky.score).toBeLessThanOrEqual(55);
    expect(risky.uses_pull_request_target).toBe(true);
    expect(body.overall_score).toBe(59);
  });

  test('a file that cannot be read does not keep the others from being scanned', async () => {
    put('broken.yml', 'on: push\njobs: [\n');
    put('ci.yml', `on: push\n${job('      - uses: org/x@main\n')}`);
    const { body } = await ask(of('api'));
    expect(body).toMatchObject({ status: 'ok', workflows_found: 2, workflows_scanned: 1, overall_score: 79 });
    expect(body.results).toMatchObject([
      { file_path: path('broken.yml'), score: 0, has_timeout: false, findings: [{ rule_id: 'SEC-042' }] },
      { file_path: path('ci.yml'), parse_error: null, findings: [{ rule_id: 'SEC-006' }] },
    ]);
    expect(body.results[0].parse_error).toMatch(/^Line \d+: /);
    expect(body).toMatchObject({ partial: false, overall_score_partial: true });
    expect(body.not_scanned).toMatchObject([{ file_path: path('broken.yml'), reason: 'syntax_error' }]);
  });
});

describe('the answer', () => {
  test('counts what it lists, and links to the lines at the commit that was read', async () => {
    put('ci.yml', `on: push\n${job('      - uses: org/x@main\n      - uses: org/y@v1\n')}`);
    const { body, headers } = await ask(of('api'));
    const { critical, high, medium, info } = body.by_severity;
    expect([critical.length, high.length, medium.length, info.length]).toEqual([
      body.critical_count,
      body.high_count,
      body.medium_count,
      body.info_count,
    ]);
    expect(body.total_findings).toBe(body.results.flatMap(({ findings }: Answer) => findings).length);
    expect(body).toMatchObject({ owner: 'octo', repo: 'api', status: 'ok', partial: false, data_source: 'live' });
    expect(high).toMatchObject([
      {
        rule_id: 'SEC-006',
        html_url: `https://codehost.example/octo/api/blob/${body.commit_sha}/${path('ci.yml')}#L8`,
      },
    ]);
    expect(body.results[0]).toMatchObject({ pinned_actions: false, unpinned_actions: ['org/x@main', 'org/y@v1'] });
    expect(headers.get('x-partial')).toBe('false');
  });

  test('a suppressed finding is an info with its reason', async () => {
    put('ci.yml', `on: push\n${job('      - uses: org/x@main # scan: ignore SEC-006 our own\n')}`);
    const { body } = await ask(of('api'));
    expect(body).toMatchObject({ high_count: 0, info_count: 1, suppressed_count: 1, overall_score: 98 });
    expect(body.by_severity.info).toMatchObject([
      { found_as: 'high', suppression: { state: 'active', reason: 'our own' } },
    ]);
  });

  test('an end of a suppression is noticed on its day, although the file is the same', async () => {
    put('ci.yml', `on: push\n${job('      - uses: org/x@main # scan: ignore SEC-006 until=2026-11-16 for now\n')}`);
    expect((await ask(of('api'))).body.high_count).toBe(0);
    visit.service.clock.advance(86_400_000);
    const { body } = await ask(of('api'));
    expect(body.by_severity.high).toMatchObject([{ suppression: { state: 'expired' } }]);
  });

  test('a file that changes is scanned anew', async () => {
    expect(await idsIn(`on: push\n${job('      - run: make\n')}`)).toEqual([]);
    visit.service.clock.advance(300_000);
    expect(await idsIn(`on: push\n${job('      - uses: org/x@main\n')}`)).toEqual(['SEC-006']);
  });

  test('where the runners stand open depends on who sees the repository', async () => {
    const text = `on: pull_request\n${job('      - run: make\n').replace('ubuntu-24.04', 'self-hosted')}`;
    const severity = async () => (await findingsIn(text)).find(({ rule_id }) => rule_id === 'SEC-017')?.severity;
    expect(await severity()).toBe('high');
    visit.service.double.setVisibility('octo/api', 'private');
    visit.service.clock.advance(300_000);
    expect(await severity()).toBe('info');
  });

  test('nothing that could be read is nothing clean', async () => {
    visit.service.double.putWorkflowFile('octo/api', path('ci.yml'), { isTruncated: true });
    visit.service.double.putWorkflowFile('octo/api', path('other.yml'), { isBinary: true });
    const { body } = await ask(of('api'));
    expect(body).toMatchObject({ status: 'unreadable', overall_score: null, workflows_found: 2, workflows_scanned: 0 });
    expect(body.results.map(({ parse_error }: Answer) => parse_error)).toEqual([
      'it is larger than 512,000 bytes',
      'it is not a text',
    ]);
  });

  test('without workflows there is no score', async () => {
    for (const repo of ['no-actions', 'empty']) {
      const { status, body } = await ask(of(repo));
      expect(status).toBe(200);
      expect(body).toMatchObject({ status: 'no_workflows', overall_score: null, results: [], total_findings: 0 });
    }
  });

  test('a former name is answered under the present one', async () => {
    const { body, headers } = await ask(of('before'));
    expect([body.repo, headers.get('x-canonical-repo')]).toEqual(['renamed-now', 'octo/renamed-now']);
  });
});

describe('an error is never an answer without findings', () => {
  test('of the directory', async () => {
    visit.service.double.fault({ path: '/graphql' }, { kind: 'nested_graphql', field: 'workflows', type: 'FORBIDDEN' });
    expectProblem(await ask(of('api')), 403, 'upstream_forbidden');
  });

  test('of the repository', async () => {
    expectProblem(await ask(of('secret'), 'token-bo'), 404, 'not_found');
    expectProblem(await ask('owner=sealed&repo=ledger', 'token-ann-two'), 403, 'sso_required');
    expectProblem(await ask(of('nothing')), 404, 'not_found');
  });

  test('of a platform that does not answer', async () => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 9 }, { kind: 'status', status: 502 });
    expectProblem(await ask(of('api')), 502, 'upstream_unavailable');
  });

  test('a text that is held back makes the answer partial', async () => {
    visit.service.double.fault({ path: '/graphql' }, { kind: 'nested_graphql', field: 'object', type: 'FORBIDDEN' });
    const { body, headers } = await ask(of('web'));
    expect([body.partial, body.status, body.overall_score]).toEqual([true, 'unreadable', null]);
    expect(headers.get('x-partial')).toBe('true');
  });
});

describe('other shapes', () => {
  const faulty = `on: push\n${job('      - uses: org/x@main\n      - uses: org/y@v1 # scan: ignore SEC-014 ours\n')}`;

  test('SARIF has every finding, by query and by header', async () => {
    put('ci.yml', faulty);
    const byQuery = await ask(`${of('api')}&format=sarif`);
    const byHeader = await ask(of('api'), 'token-ann', { accept: 'application/sarif+json' });
    expect(byQuery.headers.get('content-type')).toBe('application/sarif+json');
    expect(byHeader.text).toBe(byQuery.text);
    expect(byQuery.headers.get('content-disposition')).toBe('attachment; filename="security-scan-octo-api.sarif"');
    const { runs } = JSON.parse(byQuery.text);
    expect(runs[0].results.map(({ ruleId }: Answer) => ruleId)).toEqual(['SEC-006', 'SEC-014']);
    expect(runs[0].results[1].suppressions).toMatchObject([{ justification: 'ours' }]);
    expect(runs[0].versionControlProvenance).toMatchObject([{ repositoryUri: 'https://codehost.example/octo/api' }]);
  });

  test('a shape that an operation does not have is JSON', async () => {
    const { headers } = await visit.service.ask('GET', `/api/codehost/workflows?${of('api')}&format=sarif`, {
      as: 'token-ann',
    });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('CSV has a row for each finding, the worst first', async () => {
    put('ci.yml', faulty);
    const { text } = await ask(`${of('api')}&format=csv`);
    const [header = '', ...rows] = text.trim().split('\r\n');
    expect(header).toMatch(/^\uFEFF?rule_id,severity,found_as,/);
    expect(rows.map((row) => row.split(',')[0])).toEqual(['SEC-006', 'SEC-014']);
  });
});

test('a label that is named as a larger runner is no unknown machine', async () => {
  const text = 'on: pull_request\njobs:\n  a:\n    runs-on: [big]\n    steps:\n      - run: make\n';
  put('ci.yml', text);
  const rules = (body: Answer) => body.results[0].findings.map(({ rule_id }: Answer) => rule_id);
  expect(rules((await ask(of('api'))).body)).toContain('SEC-017');
  const named = await startService({ RUNNER_LABELS: 'big=linux_8_core' }, visit.service);
  const { body } = await named.ask('GET', `/api/codehost/security-scan?${of('api')}`, { as: 'token-ann' });
  expect(rules(body)).not.toContain('SEC-017');
  await named.close();
});
