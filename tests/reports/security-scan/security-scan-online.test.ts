import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { shaOf } from '../../codehost-double/delivery-builders.ts';
import { type Service, startService } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely.
type Answer = any;

const [tagged, stray] = [shaOf('tagged'), shaOf('stray')];
const path = '.github/workflows/ci.yml';
const hour = 3_600_000;

let service: Service;
beforeEach(async () => {
  service = await startService({ SCAN_ONLINE_RULES: 'true' });
  const { double } = service;
  double.addRepository({
    name: 'some/tool',
    facts: { archived: true },
    forkCommits: [stray],
    refs: [
      { kind: 'tags', name: 'v1.0.0', commits: [tagged] },
      { kind: 'tags', name: 'v1', commits: [tagged] },
      { kind: 'heads', name: 'v1', commits: [shaOf('branch')] },
    ],
  });
  double.world.advisories = [{ id: 'GHSA-aaaa-bbbb-cccc', package: 'some/tool', range: '< 1.0.1', patched: '1.0.1' }];
  use('some/tool@v1');
  // What everybody pays once.
  await service.ask('GET', `/api/codehost/repo-summary?owner=octo&repo=api`, { as: 'token-ann' });
});
afterEach(async () => {
  expect(service.double.violations).toEqual([]);
  await service.close();
});

/** The only workflow of octo/api uses these, one a step. */
function use(...uses: string[]) {
  const steps = uses.map((one) => `      - uses: ${one}\n`).join('');
  const job = `  build:\n    runs-on: ubuntu-24.04\n    timeout-minutes: 5\n    steps:\n${steps}`;
  const text = `on: push\npermissions: {}\njobs:\n${job}`;
  service.double.putWorkflowFile('octo/api', path, text);
}
const scan = async (as = 'token-ann', repo = 'api', of = service): Promise<Answer> =>
  (await of.ask('GET', `/api/codehost/security-scan?owner=octo&repo=${repo}`, { as })).body;
const online = ['SEC-034', 'SEC-035', 'SEC-036', 'SEC-039', 'SEC-045'];
const found = ({ results }: Answer) =>
  results[0].findings
    .map(({ rule_id }: Answer) => rule_id)
    .filter((id: string) => online.includes(id))
    .sort();
/** Looks until nothing is being read any more. */
const settled = (as?: string) =>
  vi.waitFor(async () => {
    const body = await scan(as);
    expect(body.online_rules.state).not.toBe('reading');
    return body;
  }, 60_000);
const operations = () => service.double.requests.map(({ operation }) => operation);
const actionsRequests = () => operations().filter((one) => one === 'Actions').length;

describe('with the switch on', () => {
  test('the answer does not wait, and the next one knows', async () => {
    service.double.fault({ path: '/graphql', after: 1 }, { kind: 'latency', ms: 300 });
    const first = await scan();
    expect([first.status, found(first), first.online_rules]).toEqual([
      'ok',
      [],
      { state: 'reading', actions_checked: 0, actions_unknown: 1, as_of: null },
    ]);
    const body = await settled();
    expect(found(body)).toEqual(['SEC-034', 'SEC-039', 'SEC-045']);
    expect(body.online_rules).toEqual({
      state: 'complete',
      actions_checked: 1,
      actions_unknown: 0,
      as_of: body.generated_at,
    });
    expect(body.overall_score).toBeLessThan(first.overall_score);
  });

  test('it costs what the scan costs, and behind the answer one request and a look at the quota', async () => {
    service.double.requests.length = 0;
    await scan();
    await settled();
    expect(operations().sort()).toEqual(['Actions', 'WorkflowFiles', 'rate-limit/get', 'repos/get']);
    service.clock.advance(6 * 60_000);
    service.double.requests.length = 0;
    expect((await scan()).online_rules.state).toBe('complete');
    expect(operations()).not.toContain('Actions');
    expect(operations().filter((one) => one === 'WorkflowFiles')).toHaveLength(1);
  });

  test('a commit of a fork, and a comment of another version, are found', async () => {
    use(`some/tool@${stray}`, `some/tool@${tagged} # v2.0.0`);
    await scan();
    const body = await settled();
    expect(found(body)).toEqual(['SEC-034', 'SEC-035', 'SEC-036', 'SEC-039', 'SEC-039']);
    expect(body.online_rules).toMatchObject({ state: 'complete', actions_checked: 2 });
  });

  test('several who look at once cause one reading', async () => {
    await service.signIn('token-bo');
    const all = await Promise.all([scan(), scan(), scan('token-bo')]);
    expect(all.map(({ online_rules }) => online_rules.state)).toEqual(['reading', 'reading', 'reading']);
    await settled();
    expect(actionsRequests()).toBe(1);
    expect(found(await scan('token-bo'))).toEqual(['SEC-034', 'SEC-039', 'SEC-045']);
  });

  test('it holds for a day', async () => {
    await scan();
    await settled();
    service.clock.advance(24 * hour - 1);
    expect((await scan()).online_rules.state).toBe('complete');
    service.clock.advance(1);
    expect((await scan()).online_rules.state).toBe('reading');
    await settled();
    expect(actionsRequests()).toBe(2);
  });

  test('an action that is private is unknown to everybody, and requested again after an hour', async () => {
    use('octo/web@main', 'some/tool@v1.0.0');
    await scan();
    const body = await settled();
    expect(body.online_rules).toMatchObject({ state: 'complete', actions_checked: 1, actions_unknown: 1 });
    expect(found(body)).toEqual(['SEC-034', 'SEC-039']);
    service.clock.advance(hour);
    expect((await scan()).online_rules.state).toBe('reading');
    await settled();
  });

  test('without actions there is nothing to read', async () => {
    const body = await scan('token-ann', 'fork');
    expect(body.online_rules).toEqual({ state: 'complete', actions_checked: 0, actions_unknown: 0, as_of: null });
    expect(actionsRequests()).toBe(0);
  });
});

describe('files that are too large to be scanned twice in one answer', () => {
  /** So many files of 450 kB that use an action; an answer scans 4 MB. */
  const putLarge = (count: number) => {
    for (let n = 0; n < count; n++) {
      const job = `permissions: {}\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: some/tool@v1\n`;
      const text = `on: push # ${n}\n${job}${'#'.repeat(450_000)}\n`;
      service.double.putWorkflowFile('octo/api', `.github/workflows/large-${n}.yml`, text);
    }
    service.clock.advance(6 * 60_000);
  };
  const complete = () =>
    vi.waitFor(async () => {
      const body = await scan();
      expect([body.online_rules.state, body.partial]).toEqual(['complete', false]);
      return body;
    }, 60_000);
  const isOnline = ({ rule_id }: Answer) => online.includes(rule_id);

  test('keep what was found in the files alone, which is stated, until a later answer', async () => {
    await scan();
    await settled();
    putLarge(6);
    const first = await scan();
    expect(first).toMatchObject({ not_scanned: [], workflows_scanned: 7, partial: true });
    expect(first.online_rules.state).toBe('partial');
    const alone = first.results.filter(({ findings }: Answer) => !findings.some(isOnline));
    expect(alone.length).toBeGreaterThan(0);
    for (const { findings } of alone) expect(findings.length).toBeGreaterThan(0);
    const { results } = await complete();
    for (const { findings } of results) expect(findings.filter(isOnline)).toHaveLength(3);
  });

  test('are not scanned again for what becomes known of an action that they do not use', async () => {
    await scan();
    await settled();
    putLarge(9);
    await complete();
    service.double.addRepository({ name: 'some/other', refs: [{ kind: 'tags', name: 'v1', commits: [tagged] }] });
    use('some/tool@v1', 'some/other@v1');
    service.clock.advance(6 * 60_000);
    expect((await scan()).online_rules).toMatchObject({ actions_checked: 1, actions_unknown: 1 });
    const body = await settled();
    expect([body.online_rules.state, body.partial, body.not_scanned]).toEqual(['complete', false, []]);
  });
});

describe('what could not be read', () => {
  test('makes it partial, is not tried at every look, and is made good later', async () => {
    service.double.fault({ path: '/graphql', after: 1 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    await scan();
    const body = await settled();
    expect([body.status, found(body), body.online_rules]).toEqual([
      'ok',
      [],
      { state: 'partial', actions_checked: 0, actions_unknown: 1, as_of: null },
    ]);
    const tried = actionsRequests();
    expect((await scan()).online_rules.state).toBe('partial');
    expect(actionsRequests()).toBe(tried);
    service.clock.advance(60_000);
    expect((await scan()).online_rules.state).toBe('reading');
    expect(found(await settled())).toEqual(['SEC-034', 'SEC-039', 'SEC-045']);
  });

  test('makes it partial also where only one question stayed open', async () => {
    const refs = Array.from({ length: 101 }, (_, n) => ({
      kind: 'heads' as const,
      name: `b${n}`,
      commits: [shaOf(`${n}`)],
    }));
    service.double.addRepository({ name: 'some/busy', forkCommits: [stray], refs });
    use(`some/busy@${stray}`);
    await scan();
    const body = await settled();
    expect([found(body), body.online_rules.state, body.online_rules.actions_checked]).toEqual([[], 'partial', 1]);
  });

  test('is not read with the last fifth of the quota', async () => {
    service.double.budgets.setRemaining('ann', 'graphql', 900);
    await scan();
    const body = await settled();
    expect([body.online_rules.state, actionsRequests()]).toEqual(['partial', 0]);
  });

  test('is said in SARIF', async () => {
    const sarif = async () =>
      JSON.parse(
        (await service.ask('GET', '/api/codehost/security-scan?owner=octo&repo=api&format=sarif', { as: 'token-ann' }))
          .text,
      ).runs[0];
    const notes = ({ invocations }: Answer) =>
      invocations[0].toolExecutionNotifications.map(({ message }: Answer) => message.text);
    expect(notes(await sarif())).toEqual([expect.stringContaining('SEC-034, SEC-035, SEC-036, SEC-039, SEC-045')]);
    await settled();
    const run = await sarif();
    expect(notes(run)).toEqual([]);
    expect(run.results.map(({ ruleId }: Answer) => ruleId)).toEqual(expect.arrayContaining(['SEC-034', 'SEC-039']));
  });
});

describe('with the switch off', () => {
  let plain: Service;
  beforeAll(async () => {
    plain = await startService();
  });
  afterAll(() => plain.close());

  test('nothing is requested, and the answer says so', async () => {
    plain.double.putWorkflowFile('octo/api', path, 'on: push\njobs:\n  a:\n    steps:\n      - uses: octo/old@main\n');
    await plain.ask('GET', `/api/codehost/repo-summary?owner=octo&repo=api`, { as: 'token-ann' });
    plain.double.requests.length = 0;
    const body = await scan('token-ann', 'api', plain);
    expect(body.online_rules).toEqual({ state: 'off', actions_checked: 0, actions_unknown: 0, as_of: null });
    expect(plain.double.requests.map(({ operation }) => operation).sort()).toEqual(['WorkflowFiles', 'repos/get']);
    const { text } = await plain.ask('GET', '/api/codehost/security-scan?owner=octo&repo=api&format=sarif', {
      as: 'token-ann',
    });
    const ids = JSON.parse(text).runs[0].tool.driver.rules.map(({ id }: Answer) => id);
    expect(ids).toContain('SEC-033');
    for (const id of online) expect(ids).not.toContain(id);
  });
});
