import { describe, expect, test } from 'vitest';
import type { RecordedAttempt } from '../../server/advisor/history.ts';
import { readMatrix } from '../../server/advisor/matrix-cells.ts';
import { readWorkflow } from '../../server/scan/read-workflow.ts';
import { aJob, anAttempt, day, hour, minute, now, only, recommendFor } from './histories.ts';
import { patchWith } from './patched-recommendation.ts';

const fileWith = (matrix: string, { name = '', steps = 'run: make test' } = {}) =>
  `on: pull_request\npermissions: {}\njobs:\n  test:\n${name}    runs-on: \${{ matrix.os }}\n    timeout-minutes: 9\n    strategy:\n      matrix:\n${matrix}    steps:\n      - ${steps}\n`;
const axes = '        os: [ubuntu-24.04, macos-15]\n        node: [20, 22, 24]\n';
const text = fileWith(axes);
const cells = ['ubuntu-24.04', 'macos-15'].flatMap((os) => [20, 22, 24].map((node) => `test (${os}, ${node})`));
const spare = 'test (macos-15, 22)';

/** So many runs with all cells of three minutes, macOS of six; in the first ones these fail. */
const runs = (count: number, failing: string[][] = []): RecordedAttempt[] =>
  Array.from({ length: count }, (_, index) => {
    const arrivedAt = now - 60 * day + index * hour;
    const jobs = cells.map((name) =>
      aJob(name, arrivedAt, name.includes('macos') ? 6 : 3, failing[index]?.includes(name) ? 'failure' : 'success'),
    );
    return anAttempt({ arrivedAt, jobs });
  });

const find = (content = text, around: Parameters<typeof recommendFor>[1] = {}) =>
  only(recommendFor(content, { attempts: runs(200), requiredChecks: [], ...around }), 'ADV-07');

describe('ADV-07 runs fewer cells', () => {
  test('leaves out the one that takes most of those that never failed alone', () => {
    expect(find()).toMatchObject({
      text: '“test (macos-15, 22)” never failed alone in 200 runs, and took 1200 min; 5 other cells stay.',
      sample: 200,
      reasons: [],
      risks: [{ text: expect.stringContaining('up to 2%'), count: 0, of: 200 }],
      changes: [
        {
          do: 'insert',
          at: ['jobs', 'test', 'strategy', 'matrix'],
          key: 'exclude',
          value: [{ os: 'macos-15', node: 22 }],
          after: ['node', 'os'],
        },
      ],
    });
  });

  test('its jobs would not have run, the others as recorded', () => {
    const found = find();
    const attempts = runs(3);
    const changed = found?.counterfactual?.change(attempts) ?? [];
    expect(changed.map(({ jobs }) => jobs?.map(({ name }) => name))).toEqual(
      attempts.map(() => cells.filter((name) => name !== spare)),
    );
    const others = [anAttempt({ jobs: [aJob('lint', now - day, 5)] })];
    expect(found?.counterfactual?.change(others)[0]).toBe(others[0]);
  });

  test('needs 200 runs in which the cell passed or failed', () => {
    expect(find(text, { attempts: runs(199) })).toBeUndefined();
    expect(find(text, { attempts: null })).toBeUndefined();
    const skipped = runs(200).map((one, index) =>
      index === 0 ? { ...one, jobs: (one.jobs ?? []).filter(({ name }) => !name.endsWith(', 22)')) } : one,
    );
    expect(find(text, { attempts: skipped })).toBeUndefined();
  });

  test('a failure of one cell alone keeps it, also where the others were cancelled', () => {
    const other = 'test (ubuntu-24.04, 22)';
    expect(find(text, { attempts: runs(200, [[spare]]) })?.text).toContain(other);
    expect(find(text, { attempts: runs(200, [[spare], [other]]) })).toBeUndefined();
    expect(find(text, { attempts: runs(200, [[spare, other]]) })?.text).toContain(spare);
    const [first, ...rest] = runs(201, [[spare]]);
    const cancelled = first?.jobs?.map((job) => ({ ...job, conclusion: job.name === spare ? job.conclusion : null }));
    expect(
      find(text, { attempts: [...(first ? [{ ...first, jobs: cancelled ?? null }] : []), ...rest] })?.text,
    ).not.toContain(`“${spare}”`);
  });

  test('a failure that a re-run of the same commit mended does not count, and is told', () => {
    const attempts = runs(200, [[spare]]);
    const [first] = attempts;
    const again = anAttempt({
      runId: first?.runId ?? 0,
      attempt: 2,
      arrivedAt: (first?.arrivedAt ?? 0) + 20 * minute,
      jobs: [aJob(spare, (first?.arrivedAt ?? 0) + 20 * minute, 6)],
    });
    const found = find(text, { attempts: [...attempts, again] });
    expect(found).toMatchObject({
      text: '“test (macos-15, 22)” failed alone in 1 of 200 runs, passed in each when it was run again, and took 1206 min; 5 other cells stay.',
      sample: 200,
      risks: [
        { count: 0, of: 200 },
        { text: 'Runs that failed in this cell alone and passed when run again.', count: 1, of: 200 },
      ],
    });
    expect(found?.facts).toContainEqual({
      label: 'Runs in which it failed alone and passed when run again',
      value: '1',
      unit: null,
    });
    expect(found?.evidence.filter(({ why }) => why.includes('passed when'))).toMatchObject([{ attempt: again }]);
  });

  test('failing runs are counted once, whatever their attempts', () => {
    const attempts = runs(200, [[spare, 'test (ubuntu-24.04, 22)']]);
    const [first] = attempts;
    const again = first && { ...first, attempt: 2, arrivedAt: first.arrivedAt + 20 * minute };
    const found = find(text, { attempts: [...attempts, ...(again ? [again] : [])] });
    expect(found?.facts).toContainEqual({ label: 'Failing runs of the matrix', value: '1', unit: null });
  });

  test('a check that pull requests need is kept, and so is every one where that is not known', () => {
    expect(find(text, { requiredChecks: [spare] })?.text).toContain('“test (ubuntu-24.04, 22)”');
    expect(find(text, { requiredChecks: cells })?.reasons).toEqual(['required_check']);
    expect(find(text, { requiredChecks: null })?.reasons).toEqual(['required_unknown']);
  });

  test.each([
    ['the newest and oldest of a version', '        os: [ubuntu-24.04, macos-15]\n        node: [20, 24]\n'],
    ['the only cell of a system', '        os: [ubuntu-24.04, macos-15, windows-2025, x]\n        node: [22]\n'],
    ['an expression', `        os: [ubuntu-24.04, macos-15]\n        node: \${{ fromJSON(inputs.n) }}\n`],
    ['included cells', `${axes}        include:\n          - os: ubuntu-24.04\n            node: 18\n`],
    ['a number that is written in another way', axes.replace('22', '22.0')],
    ['a name without a version among versions', axes.replace('22', 'latest')],
  ])('%s is none', (_, matrix) => {
    expect(find(fileWith(matrix))).toBeUndefined();
  });

  test.each(['True', 'TRUE', 'False', 'yes', 'off'])(
    'the word %s, which readers of YAML do not agree on, is none',
    (word) => {
      const read = (value: string) => {
        const [job] = readWorkflow('.github/workflows/ci.yml', fileWith(axes.replace('22', value))).jobs;
        return job ? readMatrix(job) : undefined;
      };
      expect(read(word)).toBeNull();
      expect(read(`'${word}'`)?.cells.length).toBe(6);
      expect(read('true')?.cells.length).toBe(6);
    },
  );

  test('three cells are too few, four are not', () => {
    const four = '        os: [ubuntu-latest, windows-latest]\n        arch: [intel, arm]\n';
    const three = `${four}        exclude:\n          - os: windows-latest\n            arch: arm\n`;
    const names = ['ubuntu-latest, intel', 'ubuntu-latest, arm', 'windows-latest, intel', 'windows-latest, arm'];
    const attempts = runs(200).map((one) => ({
      ...one,
      jobs: names.map((name) => aJob(`test (${name})`, one.arrivedAt, 3)),
    }));
    expect(find(fileWith(four), { attempts })).toBeDefined();
    expect(find(fileWith(three), { attempts })).toBeUndefined();
  });

  test('two jobs of one name cannot be told apart', () => {
    const one = fileWith(axes, { name: '    name: test\n' });
    const second = one.slice(one.indexOf('  test:')).replace('  test:', '  other:');
    expect(find(one)?.text).toContain(spare);
    expect(find(one + second)).toBeUndefined();
  });

  test('stays the same finding when another cell takes most minutes', () => {
    const longer = runs(200).map((one) => ({
      ...one,
      jobs: (one.jobs ?? []).map((job) =>
        job.name === 'test (ubuntu-24.04, 22)' ? aJob(job.name, one.arrivedAt, 9) : job,
      ),
    }));
    const other = find(text, { attempts: longer });
    expect(other?.text).toContain('“test (ubuntu-24.04, 22)”');
    expect(other?.id).toBe(find()?.id);
    expect(other?.anchor).toEqual(['jobs', 'test', 'strategy', 'matrix', 'exclude']);
  });

  test('names of jobs come from the matrix alone', () => {
    const named = (name: string) => fileWith(axes, { name: `    name: ${name}\n` });
    expect(find(named('test'))?.text).toContain(spare);
    expect(find(named(`test (\${{ matrix.os }}, \${{ matrix.node }})`))?.text).toContain(spare);
    expect(find(named(`test \${{ matrix.node }}`))).toBeUndefined();
    expect(find(named(`test \${{ github.ref }} \${{ matrix.os }}, \${{ matrix.node }}`))).toBeUndefined();
  });

  test.each([
    [fileWith(axes.replace('node:', 'shard:')), 'divides_work'],
    [fileWith(axes, { steps: 'run: npm publish' }), 'deploys'],
    [fileWith(axes, { steps: 'uses: actions/upload-artifact@v4' }), 'uploads_artifacts'],
  ])('%j is not offered', (content, reason) => {
    expect(find(content)?.reasons).toEqual([reason]);
  });

  test('the patch adds the list, or one more to it', () => {
    const around = { attempts: runs(200), requiredChecks: [] };
    expect(patchWith('ADV-07', text, around)).toEqual({
      diff: ['+        exclude:', '+          - os: macos-15', '+            node: 22'],
      refused: [],
    });
    const quoted = fileWith(
      `${axes.replace('[20, 22, 24]', "['20', '22', '24']")}        exclude:\n          - os: macos-15\n            node: '20'\n`,
    );
    expect(patchWith('ADV-07', quoted, around)).toEqual({
      diff: ['+          - os: macos-15', "+            node: '22'"],
      refused: [],
    });
    const flow = text.replace(
      `      matrix:\n${axes}`,
      '      matrix: {os: [ubuntu-24.04, macos-15], node: [20, 22, 24]}\n',
    );
    expect(patchWith('ADV-07', flow, around).diff).toEqual([
      '-      matrix: {os: [ubuntu-24.04, macos-15], node: [20, 22, 24]}',
      '+      matrix: {os: [ubuntu-24.04, macos-15], node: [20, 22, 24], exclude: [{os: macos-15, node: 22}]}',
    ]);
  });
});
