import { describe, expect, test } from 'vitest';
import { rules } from '../../server/scan/rules.ts';
import { type SarifFinding, type SarifScan, sarifLog } from '../../server/scan/sarif.ts';

const finding = (parts: Partial<SarifFinding> = {}): SarifFinding => ({
  ruleId: 'SEC-006',
  severity: 'high',
  confidence: 'high',
  message: 'Pin it.',
  path: '.github/workflows/ci.yml',
  line: 9,
  snippet: '- uses: a/b@main',
  job: 'build',
  step: null,
  suppressedBecause: null,
  ...parts,
});

const informationUri = 'https://delivery.example.org/docs';

const logOf = (findings: SarifFinding[], parts: Partial<SarifScan> = {}) => {
  const source = { repositoryUri: 'https://codehost.test/octo/web', commitSha: 'c'.repeat(40) };
  const log = sarifLog({
    version: '1.2.3',
    informationUri,
    ...source,
    rules,
    findings,
    unread: [],
    silent: [],
    ...parts,
  });
  const [run] = log.runs;
  if (!run) throw new Error('The log has no run.');
  return { log, run };
};

describe('a log', () => {
  test('is SARIF 2.1.0 and names tool, commit and every rule with help', () => {
    const { log, run } = logOf([]);
    expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringMatching(/sarif-schema-2\.1\.0\.json$/) });
    expect(run).toMatchObject({
      tool: { driver: { name: 'Delivery Analytics', semanticVersion: '1.2.3', informationUri } },
      versionControlProvenance: [{ repositoryUri: 'https://codehost.test/octo/web', revisionId: 'c'.repeat(40) }],
      invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
      results: [],
    });
    expect(run.tool.driver.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    expect(new Set(run.tool.driver.rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const one of run.tool.driver.rules) {
      expect(one.name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
      for (const { text } of [one.shortDescription, one.fullDescription, one.help]) expect(text).toMatch(/\S/);
      expect(new URL(one.helpUri).protocol).toBe('https:');
      expect(Number(one.properties['security-severity'])).toBeGreaterThan(0);
    }
  });

  test('says nothing of a commit that nobody knows', () => {
    expect(logOf([], { commitSha: null }).run).not.toHaveProperty('versionControlProvenance');
  });

  test('names the files that could not be read', () => {
    const { run } = logOf([], { unread: [{ path: '.github/workflows/a b.yml', reason: 'it is cut' }] });
    expect(run.invocations[0]?.toolExecutionNotifications).toMatchObject([
      {
        message: { text: 'The file could not be read: it is cut' },
        locations: [{ physicalLocation: { artifactLocation: { uri: '.github/workflows/a%20b.yml' } } }],
      },
    ]);
  });
});

describe('a result', () => {
  test('points to its rule and its line', () => {
    const { run } = logOf([finding()]);
    expect(run.results).toMatchObject([
      {
        ruleId: 'SEC-006',
        level: 'error',
        message: { text: 'Pin it.' },
        suppressions: [],
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: '.github/workflows/ci.yml', uriBaseId: '%SRCROOT%' },
              region: { startLine: 9, snippet: { text: '- uses: a/b@main' } },
            },
            logicalLocations: [{ fullyQualifiedName: 'build' }],
          },
        ],
      },
    ]);
    expect(run.tool.driver.rules[run.results[0]?.ruleIndex ?? -1]?.id).toBe('SEC-006');
  });

  test('has the level of its severity', () => {
    const { run } = logOf((['critical', 'high', 'medium', 'info'] as const).map((severity) => finding({ severity })));
    expect(run.results.map(({ level }) => level)).toEqual(['error', 'error', 'warning', 'note']);
  });

  test('has no region when it is about the file as a whole', () => {
    const { run } = logOf([finding({ line: null, job: null })]);
    expect(run.results[0]?.locations[0]).toEqual({ physicalLocation: { artifactLocation: expect.any(Object) } });
  });

  test('reports why it is suppressed, and keeps its level', () => {
    const { run } = logOf([finding({ suppressedBecause: 'our own fork' })]);
    expect(run.results[0]).toMatchObject({
      level: 'error',
      suppressions: [{ kind: 'inSource', status: 'accepted', justification: 'our own fork' }],
    });
  });

  test('is known again when its line moves, and distinguished from its twin', () => {
    const marks = (findings: SarifFinding[]) =>
      logOf(findings).run.results.map(({ partialFingerprints }) => partialFingerprints['workflowFinding/v1']);
    const [first, second] = marks([finding(), finding({ line: 12 })]);
    expect(first).not.toBe(second);
    expect(marks([finding({ line: 30 }), finding({ line: 33 })])).toEqual([first, second]);
    for (const other of [{ ruleId: 'SEC-014' }, { path: 'x.yml' }, { snippet: '- uses: a/c@main' }])
      expect(marks([finding(other)])).not.toEqual([first]);
  });
});
