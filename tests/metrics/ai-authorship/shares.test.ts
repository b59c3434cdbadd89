import { describe, expect, test } from 'vitest';
import type { AuthorshipClass } from '../../../server/metrics/ai-authorship/classes.ts';
import { mayTellOfBeforeRow } from '../../../server/metrics/ai-authorship/floors.ts';
import type { MarkedGroup } from '../../../server/metrics/ai-authorship/groups.ts';
import { toBits } from '../../../server/metrics/ai-authorship/mark-bits.ts';
import { measureShares } from '../../../server/metrics/ai-authorship/shares.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';

const bits = (kinds: Parameters<typeof toBits>[0]['kinds'], isBranchOnly = false) =>
  toBits({ kinds, isBranchOnly, isBeforeRow: false });
const bitsOfBot = toBits({ kinds: ['author_account'], isOfMachine: true });

interface Parts {
  month?: string;
  people?: number;
  kinds?: number;
  agent?: string | null;
  repositoryId?: number;
}

/** So many pull requests of a class, of so many people in turns. */
function some(own: AuthorshipClass, count: number, parts: Parts = {}): MarkedGroup[] {
  const { month = '2026-10', people = 8, kinds = 0, agent = null, repositoryId = 1 } = parts;
  return Array.from({ length: count }, (_, index) => ({
    repositoryId,
    month,
    class: own,
    agent,
    kinds,
    author: people === 0 ? null : `person-${index % people}`,
    prs: 1,
  }));
}

const byAgent = (count: number, agent = 'Copilot', parts: Parts = {}) =>
  some('agent_authored', count, { people: 0, kinds: bitsOfBot, agent, ...parts });
const measure = (groups: MarkedGroup[], rest: MarkedGroup[] = []) => {
  const measured = measureShares(groups, rest);
  const of = (own: AuthorshipClass) => measured.classes.find((one) => one.class === own);
  return { ...measured, of, prs: Object.fromEntries(measured.classes.map((one) => [one.class, one.prs])) };
};

describe('vectors of the contract, section 3.11', () => {
  test('14: nine pull requests are hidden, and a second class that would show them', () => {
    const { of, prs } = measure([...byAgent(9), ...some('ai_assisted', 20), ...some('unmarked', 60)]);
    expect(of('agent_authored')).toMatchObject({ prs: null, sharePct: null, interval: null, suppressed: true });
    expect(prs).toMatchObject({ agent_authored: null, ai_assisted: null, unmarked: 60, unread: 0 });
    const two = measure([...byAgent(9), ...some('unmarked', 60)]);
    expect(two.prs, 'of two cells the second is hidden too').toMatchObject({ agent_authored: null, unmarked: null });
  });

  test('15: forty pull requests of four people', () => {
    const { of } = measure([...some('ai_assisted', 40, { people: 4 }), ...some('unmarked', 60), ...byAgent(30)]);
    expect(of('ai_assisted')).toMatchObject({ prs: null, authorsFloorMet: false, suppressed: true });
    const alone = measure(some('unmarked', 40, { people: 4 }));
    expect(alone.isScopeShown).toBe(false);
    expect(Object.values(alone.prs).every((value) => value === null)).toBe(true);
    expect(alone.agents).toEqual([]);
  });
});

test('shares are of all but automation, what was not read included', () => {
  const { of, sensitivity, marks, branchOnly } = measure([
    ...some('automation', 50, { people: 0 }),
    ...byAgent(20),
    ...some('ai_assisted', 30, { kinds: bits(['co_author']) }),
    ...some('unmarked', 110),
    ...some('unmarked', 20, { kinds: bits([], true) }),
    ...some('unread', 20),
  ]);
  expect(of('agent_authored')).toMatchObject({ prs: 20, sharePct: 10, interval: { low: 7, high: 15 } });
  expect(of('ai_assisted')?.sharePct).toBe(15);
  expect(of('automation')).toMatchObject({ prs: 50, sharePct: 20 });
  expect(branchOnly).toBe(20);
  expect(sensitivity).toEqual({ withBranchOnlyPct: 35, recordsOnlyPct: 25 });
  expect(marks.filter(({ prs }) => prs)).toEqual([
    { kind: 'author_account', prs: 20 },
    { kind: 'co_author', prs: 30 },
  ]);
});

test('agents are shown from ten pull requests on, and one alone is not given away', () => {
  const groups = [...byAgent(40), ...byAgent(12, 'Codex'), ...byAgent(3, 'Devin'), ...some('unmarked', 100)];
  expect(measure([...groups, ...some('ai_assisted', 20)]).agents).toEqual([
    { agent: 'Copilot', prs: 40, sharePct: 23, suppressed: false },
    { agent: 'Codex', prs: null, sharePct: null, suppressed: true },
    { agent: 'Devin', prs: null, sharePct: null, suppressed: true },
  ]);
});

test('a repository is hidden where the others of its organization would show a few people', () => {
  const own = [...some('ai_assisted', 30), ...some('unmarked', 60), ...byAgent(10)];
  expect(measure(own, some('ai_assisted', 30, { people: 6, repositoryId: 2 })).prs.ai_assisted).toBe(30);
  expect(measure(own, some('ai_assisted', 30, { people: 4, repositoryId: 2 })).prs.ai_assisted).toBeNull();
});

test('a month in the middle of a window follows from what is around it, so each has to be of enough people', () => {
  const month = (name: string, count: number, people: number) => [
    ...some('ai_assisted', count, { month: name, people }),
    ...some('unmarked', 40, { month: name }),
    ...byAgent(12, 'Copilot', { month: name }),
  ];
  const around = [...month('2026-05', 20, 8), ...month('2026-07', 20, 8)];
  expect(measure([...around, ...month('2026-06', 3, 1)]).prs.ai_assisted).toBeNull();
  expect(measure([...around, ...month('2026-06', 9, 8)]).prs.ai_assisted).toBeNull();
  expect(measure([...around, ...month('2026-06', 10, 8)]).prs.ai_assisted).toBe(50);
  expect(measure([...around, ...month('2026-06', 0, 1)]).prs.ai_assisted, 'none is of nobody').toBe(40);
});

test('an organization is hidden where its hidden repositories would follow from those that are shown', () => {
  const repository = (repositoryId: number, assisted: number, people: number) => [
    ...some('ai_assisted', assisted, { repositoryId, people }),
    ...some('unmarked', 60, { repositoryId }),
    ...byAgent(12, 'Copilot', { repositoryId }),
  ];
  const shown = [...repository(1, 20, 8), ...repository(2, 20, 8)];
  expect(measure(shown).prs.ai_assisted).toBe(40);
  expect(measure([...shown, ...repository(3, 4, 4)]).prs.ai_assisted).toBeNull();
  expect(measure([...shown, ...repository(3, 20, 4)]).prs.ai_assisted).toBeNull();
  expect(measure([...shown, ...repository(3, 6, 6), ...repository(4, 6, 6)]).prs.ai_assisted).toBe(52);
});

test('agents and branches of hidden repositories do not follow either', () => {
  const repository = (repositoryId: number, codex: number, branches: number) => [
    ...some('ai_assisted', 20, { repositoryId }),
    ...some('unmarked', 60, { repositoryId }),
    ...some('unmarked', branches, { repositoryId, kinds: bits([], true) }),
    ...byAgent(20, 'Copilot', { repositoryId }),
    ...byAgent(codex, 'Codex', { repositoryId }),
  ];
  const two = measure([...repository(1, 20, 20), ...repository(2, 20, 20)]);
  expect([two.agents.map(({ prs }) => prs), two.branchOnly]).toEqual([[40, 40], 40]);
  const three = measure([...repository(1, 20, 20), ...repository(2, 20, 20), ...repository(3, 0, 2)]);
  expect(three.branchOnly).toBeNull();
  const fewCodex = measure([...repository(1, 20, 20), ...repository(2, 20, 20), ...repository(3, 4, 20)]);
  expect(fewCodex.agents.map(({ agent, prs }) => [agent, prs])).toContainEqual(['Codex', null]);
});

test('a kind of mark is hidden where what it leaves of its class is of a few people', () => {
  const rest = [...some('ai_assisted', 20, { kinds: bits(['co_author']) }), ...some('unmarked', 60)];
  const opened = (count: number) => some('agent_authored', count, { kinds: bits(['author_app']), agent: 'Copilot' });
  const kinds = (groups: MarkedGroup[]) =>
    Object.fromEntries(measure([...groups, ...rest]).marks.map(({ kind, prs }) => [kind, prs]));
  const account = some('agent_authored', 29, { people: 5, kinds: bitsOfBot, agent: 'Copilot' });
  expect(kinds([...account, ...opened(1)])).toMatchObject({ author_account: null, author_app: null });
  expect(kinds([...account, ...opened(16)])).toMatchObject({ author_account: 29, author_app: 16 });
});

test('what an agent opened through an account of a person is of that person', () => {
  const rest = [...some('ai_assisted', 20), ...some('unmarked', 60)];
  const authored = (people: number) => some('agent_authored', 20, { people, kinds: bits(['commit_authors']) });
  expect(measure([...authored(4), ...rest]).prs.agent_authored).toBeNull();
  expect(measure([...authored(5), ...rest]).prs.agent_authored).toBe(20);
  expect(measure([...byAgent(20), ...authored(1), ...rest]).prs.agent_authored).toBeNull();
});

test('as many numbers are hidden as make the hidden ones together one of enough', () => {
  const agents = [...byAgent(40), ...byAgent(12, 'Codex'), ...byAgent(3, 'Devin'), ...byAgent(2, 'Jules')];
  const { agents: shown } = measure([...agents, ...some('ai_assisted', 20), ...some('unmarked', 60)]);
  expect(shown.map(({ agent, prs }) => [agent, prs])).toEqual([
    ['Copilot', 40],
    ['Codex', null],
    ['Devin', null],
    ['Jules', null],
  ]);
  const few = measure([...byAgent(20), ...some('ai_assisted', 4, { people: 2 }), ...some('unmarked', 60)]);
  expect(few.prs, 'a machine and two people are of two').toMatchObject({ agent_authored: null, unmarked: null });
});

test('10,000 pairs of windows: their difference is never of one to four people', () => {
  const months = ['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
  for (let seed = 0; seed < 10_000; seed++) {
    const random = randomStream('pairs of windows', seed);
    const pick = (count: number) => Math.floor(random() * count);
    const world = months.flatMap((month) => [
      ...some('ai_assisted', pick(25), { month, people: 1 + pick(9) }),
      ...some('unmarked', 40, { month }),
      ...byAgent(12, 'Copilot', { month }),
    ]);
    const from = pick(months.length - 1);
    const to = from + 1 + pick(months.length - from - 1);
    const [smallFrom, smallTo] = random() < 0.5 ? [from + 1, to] : [from, to - 1];
    const within = (first: number, last: number) =>
      world.filter(({ month }) => months.indexOf(month) >= first && months.indexOf(month) <= last);
    const [ofLarge, ofSmall] = [measure(within(from, to)), measure(within(smallFrom, smallTo))];
    for (const { class: own, suppressed, authorsFloorMet } of [...ofLarge.classes, ...ofSmall.classes])
      expect(suppressed && authorsFloorMet, `seed ${seed}: whether five wrote what is hidden, ${own}`).toBe(false);
    const [large, small] = [ofLarge.prs.ai_assisted, ofSmall.prs.ai_assisted];
    if (large == null || small == null) continue;
    const edge = months[smallFrom === from ? to : from];
    const people = new Set(
      world.filter((one) => one.month === edge && one.class === 'ai_assisted').map((one) => one.author),
    );
    expect(people.size === 0 || people.size >= 5, `seed ${seed}: ${large} less ${small} is of ${people.size}`).toBe(
      true,
    );
  }
});

test('10,000 pairs of answers: that something matched a row before its days never tells of one to four people', () => {
  const beforeRow = toBits({ kinds: [], isBeforeRow: true });
  let told = 0;
  for (let seed = 0; seed < 10_000; seed++) {
    const random = randomStream('pairs of coverage', seed);
    const pick = (count: number) => Math.floor(random() * count);
    const world = [1, 2].flatMap((repositoryId) =>
      ['2026-05', '2026-06', '2026-07'].flatMap((month) => {
        const all = some('unmarked', 20, { month, repositoryId });
        const matched = { kinds: beforeRow, people: 1 + pick(7), month, repositoryId };
        return random() < 0.4 ? all : [...all, ...some('unmarked', pick(14), matched)];
      }),
    );
    // Another window, repository or caller leaves out the one or the other.
    const isLeftOut = { month: `2026-0${5 + pick(3)}`, repositoryId: 1 + pick(2) };
    const smaller = world.filter(
      ({ month, repositoryId }) => month !== isLeftOut.month || repositoryId !== isLeftOut.repositoryId,
    );
    const left = world.filter((one) => !smaller.includes(one) && one.kinds === beforeRow);
    const [large, small] = [world, smaller].map(mayTellOfBeforeRow);
    if (large) told += 1;
    if (large === small) continue;
    const people = new Set(left.map(({ author }) => author)).size;
    expect(left.length >= 10 && people >= 5, `seed ${seed}: ${left.length} of ${people}`).toBe(true);
  }
  expect(told).toBeGreaterThan(1000);
  expect(told).toBeLessThan(9000);
});

test('the account of a machine is nobody of the people who make a floor', () => {
  const robot = byAgent(30, 'Own').map((group) => ({ ...group, author: 'own-robot' }));
  const { isScopeShown, of } = measure([
    ...some('ai_assisted', 20, { people: 4 }),
    ...some('unmarked', 40, { people: 4 }),
    ...robot,
  ]);
  expect(isScopeShown).toBe(false);
  expect(of('ai_assisted')).toMatchObject({ prs: null, suppressed: true });
});

test('an account that the table alone calls an agent is a person', () => {
  const rest = [...some('ai_assisted', 20), ...some('unmarked', 60)];
  const account = (people: number) =>
    some('agent_authored', 30, { people, kinds: bits(['author_account']), agent: 'Own' });
  const { of, agents, marks } = measure([...account(1), ...rest]);
  expect(of('agent_authored')).toMatchObject({ prs: null, sharePct: null, interval: null, suppressed: true });
  expect([agents, marks.filter(({ prs }) => prs !== null)]).toEqual([[], []]);
  expect(measure([...account(4), ...byAgent(20), ...rest]).prs.agent_authored).toBeNull();
  expect(measure([...account(5), ...rest]).prs.agent_authored).toBe(30);
});
