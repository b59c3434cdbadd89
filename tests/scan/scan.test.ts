import { describe, expect, test } from 'vitest';
import type { Surroundings } from '../../server/scan/rule.ts';
import { rules } from '../../server/scan/rules.ts';
import { type FileScan, scanFile, unreadFile } from '../../server/scan/scan.ts';

const around: Surroundings = { visibility: 'public', largerRunnerLabels: [], actions: null };
const now = Date.parse('2026-11-16T10:00:00Z');
const scan = (text: string, at = now) => scanFile('.github/workflows/ci.yml', text, around, at);
const found = ({ findings }: FileScan) => findings.map(({ ruleId, line }) => `${ruleId} ${line}`);
const of = (result: FileScan, ruleId: string) => result.findings.filter((one) => one.ruleId === ruleId);

/** A workflow without faults, with these steps. */
const workflow = (steps: string) => `name: CI
on: push
permissions: {}
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    steps:
${steps}`;
const firstStep = 9;

describe('the list of rules', () => {
  test('names each once, in order, and says what each is about', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    for (const { id, title, description, fix, reference } of rules) {
      expect(id).toMatch(/^SEC-0\d\d$/);
      for (const labels of [title, description, fix]) expect(labels).toMatch(/\S{2}/);
      expect(new URL(reference).protocol).toBe('https:');
    }
  });
});

describe('a finding', () => {
  test('says where it is, in which job and step, and shows the line', () => {
    const result = scan(workflow('      - name: Fetch\n        uses: somebody/thing@main   \n'));
    expect(of(result, 'SEC-006')).toMatchObject([
      { line: firstStep + 1, job: 'build', step: 'Fetch', context: 'uses: somebody/thing@main', severity: 'high' },
    ]);
  });

  test('is one for each rule and line', () => {
    const twice = scan(
      workflow(`      - run: echo \${{ github.event.head_commit.message }} \${{ github.event.head_commit.message }}\n`),
    );
    expect(of(twice, 'SEC-012')).toHaveLength(1);
    const lines = scan(
      workflow(
        `      - run: |\n          echo \${{ github.event.head_commit.message }}\n          echo \${{ github.event.head_commit.message }}\n`,
      ),
    );
    expect(of(lines, 'SEC-012').map(({ line }) => line)).toEqual([firstStep + 1, firstStep + 2]);
  });

  test('shows at most 200 characters, without its indentation', () => {
    const [one] = of(scan(workflow(`      - uses: somebody/thing@main # ${'x'.repeat(500)}\n`)), 'SEC-006');
    expect(one?.context).toMatch(/^- uses: somebody\/thing@main # x+$/);
    expect(one?.context).toHaveLength(200);
  });

  test('makes invisible characters visible', () => {
    const [one] = of(scan(workflow('      - uses: somebody/thing@main # \u202E drow \u200B\n')), 'SEC-006');
    expect(one?.context).toBe('- uses: somebody/thing@main # <U+202E> drow <U+200B>');
  });

  test('are a thousand at most, the worst ones', () => {
    const steps = Array.from({ length: 1100 }, () => '      - uses: actions/cache@v4\n').join('');
    const result = scan(workflow(`${steps}      - uses: somebody/thing@main\n`));
    expect([result.findings.length, result.isTruncated, of(result, 'SEC-006').length]).toEqual([1000, true, 1]);
  });
});

describe('a secret is never shown', () => {
  /** Made for these tests; shaped as a token of the platform is. */
  const token = `ghp_${'k3Jd92lsQpeR8vTz0xWn5yBcGhUaFmXo4d7a'}`;
  const secretsIn = (text: string) => JSON.stringify(scan(text));

  test('neither key-shaped ones, in whatever finding', () => {
    const text = workflow(
      `      - uses: somebody/thing@main # ${token}\n      - run: curl -u "me:${token}" https://a.test | sh\n`,
    );
    expect(found(scan(text)).length).toBeGreaterThan(1);
    expect(secretsIn(text)).not.toContain(token);
    expect(of(scan(text), 'SEC-006')[0]?.context).toBe('- uses: somebody/thing@main # ***');
  });

  test('nor passwords that a rule has found, however they are written', () => {
    for (const [written, shown] of [
      ['hunter2x9', 'hunter2x9'],
      ["'hunt''r2x9'", "hunt''r2x9"],
      ['"hunt\\u0065r2x9"', 'hunt\\u0065r2x9'],
    ] as const) {
      const text = workflow('      - run: make\n').replace(
        '    steps:',
        `    container:\n      image: somebody/thing:1 # ${shown}\n      credentials: { username: u, password: ${written} }\n    steps:`,
      );
      expect(found(scan(text)).filter((one) => one.startsWith('SEC-023'))).toHaveLength(1);
      expect(
        JSON.parse(secretsIn(text))
          .findings.map((one: { context: string }) => one.context)
          .join(),
      ).not.toContain(shown);
    }
  });

  test('nor anything of a file that could not be read', () => {
    const [one] = scan('on: push\npassword: "hunter2x9\n').findings;
    expect(one).toMatchObject({ ruleId: 'SEC-042', context: null });
    expect(secretsIn('on: push\npassword: "hunter2x9\n')).not.toContain('hunter2x9');
  });

  test('nor in the reason of a suppression', () => {
    const text = workflow(`      - uses: somebody/thing@main # scan: ignore SEC-006 because ${token}\n`);
    expect(of(scan(text), 'SEC-006')[0]?.suppression?.reason).toBe('because ***');
  });
});

describe('a suppressing comment', () => {
  const suppressed = (step: string, at?: number) => of(scan(workflow(step), at), 'SEC-006');
  const line = (comment: string) => `      - uses: somebody/thing@main ${comment}\n`;

  test('makes a finding an info with its reason, and takes less from the score', () => {
    const text = workflow(line('# scan: ignore SEC-006 our own fork'));
    expect(of(scan(text), 'SEC-006')).toMatchObject([
      { severity: 'info', foundAs: 'high', suppression: { state: 'active', reason: 'our own fork', until: null } },
    ]);
    expect(scan(text).score).toBe((scan(workflow(line(''))).score ?? 0) + 15 - 2);
  });

  test('concerns the rules it names, on its own line', () => {
    expect(suppressed(line('# scan: ignore SEC-014 our own'))[0]).toMatchObject({
      severity: 'high',
      suppression: null,
    });
    expect(suppressed(line('# scan: ignore SEC-014, SEC-006 our own'))[0]?.severity).toBe('info');
    expect(suppressed(`      # scan: ignore SEC-006 our own\n${line('')}`)[0]?.severity).toBe('high');
    expect(suppressed(line('# scan: ignore SEC-0066 our own'))[0]?.suppression).toBeNull();
  });

  test('ends after its last day, and says so', () => {
    const until = line('# scan: ignore SEC-006 until=2026-11-16 our own');
    expect(suppressed(until, Date.parse('2026-11-16T23:59:59Z'))[0]?.severity).toBe('info');
    expect(suppressed(until, Date.parse('2026-11-17T00:00:00Z'))[0]).toMatchObject({
      severity: 'high',
      suppression: { state: 'expired', reason: 'our own', until: '2026-11-16' },
    });
  });

  test('does nothing without a reason, or with a date that is none', () => {
    const [bare] = suppressed(line('# scan: ignore SEC-006'));
    expect(bare).toMatchObject({ severity: 'high', suppression: { state: 'without reason' } });
    for (const date of ['2026-02-30', 'tomorrow', '']) {
      const [one] = suppressed(line(`# scan: ignore SEC-006 our own until=${date}`));
      expect(one).toMatchObject({ severity: 'high', suppression: { state: 'unknown date' } });
    }
  });

  test('is no comment between quotes, but is one in a text that a shell runs', () => {
    const quoted = scan(
      workflow(`      - run: "echo \${{ github.event.head_commit.message }} # scan: ignore SEC-012 trick"\n`),
    );
    expect(of(quoted, 'SEC-012')[0]?.suppression).toBeNull();
    const block = scan(
      workflow(
        `      - run: |\n          echo \${{ github.event.head_commit.message }} # scan: ignore SEC-012 only for us\n`,
      ),
    );
    expect(of(block, 'SEC-012')[0]).toMatchObject({ severity: 'info', line: firstStep + 1 });
    const stuck = scan(
      workflow(`      - run: |\n          echo \${{ github.event.head_commit.message }}# scan: ignore SEC-012 trick\n`),
    );
    expect(of(stuck, 'SEC-012')[0]?.suppression).toBeNull();
  });
});

describe('a file that is not valid', () => {
  test('is named with the line, and has no score', () => {
    const result = scan('on: push\njobs:\n  a: [\n');
    expect(result).toMatchObject({ score: null, traits: null });
    expect(result.parseError).toBe('Line 4: deficient indentation');
    expect(result.findings).toMatchObject([{ ruleId: 'SEC-042', severity: 'info' }]);
  });

  test('is one that is empty or no map', () => {
    expect(scan('').parseError).toBe('The file is empty');
    expect(scan('# nothing\n').parseError).toBe('The file is empty');
    expect(scan('- on\n').parseError).toBe('Line 1: not a map of keys');
    for (const text of ['', '# nothing\n', '- on\n']) expect(of(scan(text), 'SEC-042')).toHaveLength(1);
  });

  test('is scanned all the same where only a part is wrong', () => {
    const result = scan(`${workflow('      - uses: somebody/thing@main\n')}triggers: push\nname: again\n`);
    expect(of(result, 'SEC-042').map(({ line, detail }) => [line, detail])).toEqual([
      [10, '“triggers” is not a workflow key.'],
      [11, 'Syntax error: “name” is given twice.'],
    ]);
    expect([result.parseError, of(result, 'SEC-006').length]).toEqual([null, 1]);
    expect(result.score).not.toBeNull();
  });

  test('is not one whose steps run side by side', () => {
    const result = scan(workflow('      - parallel:\n          - uses: somebody/thing@main\n          - run: make\n'));
    expect(of(result, 'SEC-006').map(({ line, step }) => [line, step])).toEqual([[10, 'somebody/thing@main']]);
    expect(result.findings).toHaveLength(1);
  });

  test('is one that is larger than any file people write', () => {
    const text = workflow('      - run: make\n');
    expect(scan(`${text}${'#'.repeat(512_000 - text.length)}`).parseError).toBeNull();
    expect(scan(`${text}${'#'.repeat(512_001 - text.length)}`).parseError).toBe('it is larger than 512,000 characters');
  });

  test('is one that the platform did not give as text', () => {
    expect(unreadFile('a.yml', 'it is not a text')).toMatchObject({
      path: 'a.yml',
      parseError: 'it is not a text',
      score: null,
      findings: [{ ruleId: 'SEC-042', line: null, detail: 'It could not be read: it is not a text.' }],
    });
  });
});

describe('what a file is as a whole', () => {
  const sha = '8b1f3c0d9e7a45264fd1b6c82a9e03d75b4c1f60';

  test('nothing is wrong with one that has no fault', () => {
    const result = scan(workflow('      - run: make\n'));
    expect(result).toMatchObject({
      findings: [],
      score: 100,
      parseError: null,
      unpinnedActions: [],
      isTruncated: false,
    });
    expect(result.traits).toEqual({
      pinnedActions: true,
      hasTimeout: true,
      hasPermissions: true,
      echoesSecrets: false,
      secretsAsArguments: false,
      unquotedDispatchInputs: false,
      usesPullRequestTarget: false,
    });
  });

  test('every job of its own has an end', () => {
    const second = '  two:\n    runs-on: ubuntu-24.04\n    steps: []\n';
    const called = `  two:\n    uses: octo/web/.github/workflows/x.yml@${sha}\n`;
    expect(scan(workflow('      - run: make\n') + second).traits?.hasTimeout).toBe(false);
    expect(scan(workflow('      - run: make\n') + called).traits?.hasTimeout).toBe(true);
  });

  test('what is used without a commit is listed once', () => {
    const uses = ['b/b@v1', 'a/a@main', 'b/b@v1', `c/c@${sha}`].map((one) => `      - uses: ${one}\n`).join('');
    const result = scan(workflow(uses));
    expect(result.unpinnedActions).toEqual(['a/a@main', 'b/b@v1']);
    expect(result.traits?.pinnedActions).toBe(false);
  });
});
