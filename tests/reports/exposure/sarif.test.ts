import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { exposureSarif } from '../../../server/reports/exposure/sarif.ts';

const run = {
  id: 7,
  attempt: 2,
  number: 12,
  workflow: 'CI',
  workflow_path: '.github/workflows/ci.yml',
  event: 'push',
  head_branch: 'main',
  head_sha: 'a'.repeat(40),
  started_at: '2026-03-15T00:00:00.000Z',
  html_url: 'https://codehost.test/octo/web/actions/runs/7',
};
const use = (verdict: string, more: object = {}) => ({
  repo: 'octo/web',
  suspect: 'some/tool',
  run,
  verdict,
  proof: null,
  reasons: [],
  likelihood: null,
  log_state: 'unread',
  ...more,
});
const proof = (kind: string) => ({ kind, at: run.started_at, detail: 'As its log names it.' });

const toSarif = (more: object) =>
  exposureSarif(
    {
      suspects: [{ name: 'some/tool', kind: null, names: ['some/tool'], match: [{ type: 'ref', value: 'v1' }] }],
      uses: [],
      window: { from: run.started_at, to: run.started_at },
      coverage: { reasons: [] },
      total: 0,
      page: 1,
      pages: 1,
      ...more,
    } as never,
    { APP_URL: 'https://service.test' },
  ) as {
    runs: [
      {
        invocations: [{ toolExecutionNotifications: { descriptor: { id: string }; message: { text: string } }[] }];
        results: { kind: string; level: string; ruleIndex: number; properties: { proof: object | null } }[];
        properties: object;
      },
    ];
  };

test('verdicts are kinds and levels, and one that clears has its proof', () => {
  const uses = [
    use('proven', { proof: proof('log_line') }),
    use('possible', { reasons: ['log_unread'] }),
    use('unknown', { reasons: ['log_unread'] }),
    use('no', { proof: proof('N1') }),
  ];
  const [{ results }] = toSarif({ uses, total: 4 }).runs;
  expect(results.map(({ kind, level }) => `${kind} ${level}`)).toEqual([
    'fail error',
    'fail warning',
    'open none',
    'pass none',
  ]);
  expect(results.map(({ properties }) => properties.proof !== null)).toEqual([true, false, false, true]);
  expect(results.every(({ ruleIndex }) => ruleIndex === 0)).toBe(true);
});

test('a file that has not all attempts says so, beside what could not be checked', () => {
  const notes = (more: object) =>
    toSarif(more).runs[0].invocations[0].toolExecutionNotifications.map(({ message }) => message.text);
  expect(notes({ uses: [use('unknown')], total: 1 })).toEqual([]);
  const part = { uses: [use('unknown')], total: 1001, page: 2, pages: 2, coverage: { reasons: ['logs_unread'] } };
  expect(notes(part)).toEqual([
    'Not everything could be checked: logs_unread.',
    'This is page 2 of 2: 1 of 1001 attempts.',
  ]);
  expect(toSarif(part).runs[0].properties).toMatchObject({ total: 1001, page: 2, pages: 2 });
});

/** Of draft 4, whose `id` has another name since. */
function compileSchema() {
  const text = readFileSync(new URL('../../fixtures/sarif-schema-2.1.0.json', import.meta.url), 'utf8');
  const { $schema: _, id: $id, ...schema } = JSON.parse(text);
  const ajv = new Ajv({ strict: false, allErrors: true });
  formats.default(ajv);
  return { $id, validate: ajv.compile(schema) };
}

test('every answer is a log by the JSON schema of SARIF 2.1.0, which it names', () => {
  const { $id, validate } = compileSchema();
  const withoutFile = {
    ...run,
    workflow: null,
    workflow_path: null,
    head_branch: null,
    started_at: null,
    html_url: null,
  };
  const uses = [
    use('proven', { proof: proof('log_line') }),
    use('possible', { reasons: ['log_unread'], likelihood: 'open', run: withoutFile }),
    use('unknown', { reasons: ['log_unread'], suspect: 'other/tool@v1' }),
    use('no', { proof: proof('N1'), run: { ...run, workflow_path: '.github/workflows/a file ä.yml' } }),
  ];
  const logs = [
    toSarif({}),
    toSarif({ uses, total: 4 }),
    toSarif({ uses, total: 999, page: 2, pages: 10, coverage: { reasons: ['logs_unread', 'runs_gap'] } }),
    toSarif({ suspects: [], window: { from: null, to: null } }),
  ];
  for (const log of logs) {
    expect(validate(log) ? [] : validate.errors).toEqual([]);
    expect(log).toMatchObject({ $schema: $id });
  }
  // What it forbids is found.
  expect(validate({ ...toSarif({}), version: '2.0.0' })).toBe(false);
  const [{ results }] = toSarif({ uses, total: 4 }).runs;
  expect(validate({ ...toSarif({}), runs: [{ results }] })).toBe(false);
});
