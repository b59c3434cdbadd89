import { describe, expect, test } from 'vitest';
import { type AgentRow, knownAgents } from '../../../server/metrics/ai-authorship/agents.ts';
import { type CommitPerson, classify, type PullRequestSigns } from '../../../server/metrics/ai-authorship/classify.ts';
import { isOfMachine } from '../../../server/metrics/ai-authorship/floors.ts';
import { toBits } from '../../../server/metrics/ai-authorship/mark-bits.ts';
import { withOpener } from '../../../server/metrics/ai-authorship/opener.ts';
import { randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { aCommit, ann, aPullRequest, table } from './signs.ts';

const claude: CommitPerson = { name: 'Claude', address: 'noreply@anthropic.com' };
const cursorBot: CommitPerson = { name: 'cursor[bot]', address: '206951365+cursor[bot]@users.noreply.github.com' };
const bot = (login: string) => ({ id: null, login, isBot: true });
const ofPullRequest = (parts: Partial<PullRequestSigns>) => classify(aPullRequest(parts), table);

describe('vectors of the contract, section 3.11', () => {
  test('1: a bot that is no agent is automation, whoever is its co-author', () => {
    const commits = [aCommit({ authors: [ann, claude] })];
    expect(ofPullRequest({ author: bot('dependabot'), commits }).class).toBe('automation');
  });

  test('a bot by its login or by the settings of the service is automation as well, and before any mark', () => {
    const commits = [aCommit({ authors: [cursorBot] })];
    expect(ofPullRequest({ author: bot('dependabot'), commits }).class).toBe('automation');
    const person = (login: string) => ({ id: 4711, login, isBot: false });
    expect(ofPullRequest({ author: person('renovate-bot') }).class).toBe('automation');
    expect(ofPullRequest({ author: person('deploy-machine') }).class).toBe('automation');
  });

  test('2: an agent is the same by its login in GraphQL and by its id in REST', () => {
    const expected = { class: 'agent_authored', agent: 'Copilot', kinds: ['author_account'] };
    expect(ofPullRequest({ author: bot('copilot-swe-agent') })).toMatchObject(expected);
    const inRest = { id: 198982749, login: 'Copilot', isBot: true };
    expect(ofPullRequest({ author: inRest })).toMatchObject(expected);
  });

  test('3: one of three commits with an agent as co-author', () => {
    const commits = [aCommit(), aCommit({ authors: [ann, claude] }), aCommit()];
    expect(ofPullRequest({ commits })).toMatchObject({
      class: 'ai_assisted',
      agent: 'Claude',
      kinds: ['co_author'],
    });
  });

  test('4: every commit is first-authored by an agent', () => {
    const commits = [1, 2, 3].map(() => aCommit({ authors: [cursorBot] }));
    expect(ofPullRequest({ commits })).toMatchObject({
      class: 'agent_authored',
      agent: 'Cursor',
      kinds: ['commit_authors'],
    });
    const withMerge = [...commits, aCommit({ isMerge: true })];
    expect(ofPullRequest({ commits: withMerge }).class).toBe('agent_authored');
    expect(ofPullRequest({ commits: [...commits, aCommit()] }).class).toBe('unmarked');
  });

  test('5: a person of that name', () => {
    const person = { name: 'Claude', address: '4711+claude-martin@users.noreply.github.com' };
    expect(ofPullRequest({ commits: [aCommit({ authors: [ann, person] })] }).class).toBe('unmarked');
  });

  test('6: a person of that login', () => {
    expect(ofPullRequest({ author: { id: 81847, login: 'claude', isBot: false } }).class).toBe('unmarked');
  });

  test.each([
    [7, 'codex/fix-1'],
    [9, 'cursor/pagination'],
  ])('%i: the branch %s alone is no mark', (_, headBranch) => {
    expect(ofPullRequest({ headBranch })).toMatchObject({ class: 'unmarked', isBranchOnly: true, kinds: [] });
  });

  test('8: the app that opened it', () => {
    const signs = { headBranch: 'codex/fix-1', app: 'chatgpt-codex-connector' };
    expect(ofPullRequest(signs)).toMatchObject({ class: 'agent_authored', agent: 'Codex', kinds: ['author_app'] });
  });

  test('10: a trailer counts in the last paragraph alone', () => {
    const quoted = 'Fix it\n\nThe log said:\n\nMade-with: Cursor\n\nand nothing else.';
    expect(ofPullRequest({ commits: [aCommit({ message: quoted })] }).class).toBe('unmarked');
    const last = 'Fix it\n\nBecause.\n\nSigned-off-by: Ann\nMade-with: Cursor\n';
    expect(ofPullRequest({ commits: [aCommit({ message: last })] })).toMatchObject({
      class: 'ai_assisted',
      kinds: ['trailer'],
    });
  });

  test('11: without a mark, and not all commits were read', () => {
    const commits = Array.from({ length: 250 }, () => aCommit());
    expect(ofPullRequest({ commits, isComplete: false }).class).toBe('unread');
    const marked = [...commits.slice(1), aCommit({ authors: [ann, claude] })];
    expect(ofPullRequest({ commits: marked, isComplete: false }).class).toBe('ai_assisted');
  });

  test('12: an agent that only reviewed', () => {
    // Reviews are not read for marks: nothing of it is in the signs.
    expect(ofPullRequest({}).class).toBe('unmarked');
  });

  test('13: before the first day of a row', () => {
    const row: AgentRow = {
      ...(knownAgents[0] as AgentRow),
      agent: 'Own agent',
      value: '555',
      validFrom: '2025-05-19',
    };
    const before = aPullRequest({
      author: { id: 555, login: 'own-agent', isBot: true },
      createdAt: Date.parse('2025-05-01T00:00:00Z'),
    });
    const own = { ...table, agents: [...table.agents, row] };
    expect(classify(before, own)).toMatchObject({ class: 'unmarked', isBeforeRow: true });
    const onTheDay = { ...before, createdAt: Date.parse('2025-05-19T00:00:00Z') };
    expect(classify(onTheDay, own)).toMatchObject({ class: 'agent_authored', isBeforeRow: false });
  });
});

test('an account is of a machine by the platform or the settings of the service, and by no row of the table', () => {
  const row: AgentRow = { ...(knownAgents[0] as AgentRow), agent: 'Own agent', value: '555' };
  const own = { ...table, agents: [...table.agents, row] };
  const openedBy = (author: PullRequestSigns['author']) => classify(aPullRequest({ author }), own);
  const marked = { class: 'agent_authored', agent: 'Own agent', kinds: ['author_account'] };
  const person = openedBy({ id: 555, login: 'bo', isBot: false });
  expect(person).toMatchObject({ ...marked, isOfMachine: false });
  expect(isOfMachine({ class: person.class, kinds: toBits(person) })).toBe(false);
  for (const author of [
    { id: 555, login: 'own-agent', isBot: true },
    { id: 555, login: 'deploy-machine', isBot: false },
  ]) {
    const machine = openedBy(author);
    expect(machine).toMatchObject({ ...marked, isOfMachine: true });
    expect(isOfMachine({ class: machine.class, kinds: toBits(machine) })).toBe(true);
  }
  expect(ofPullRequest({ author: bot('dependabot') }).isOfMachine).toBe(true);
  expect(ofPullRequest({ author: null }).isOfMachine).toBe(false);
});

test('what a bot opened stays of a machine once it is known through which app', () => {
  const kinds = toBits({ kinds: [], isOpenerWanted: true, isOfMachine: true });
  const stored = { class: 'unread' as const, agent: null, kinds, readComplete: true };
  const createdAt = Date.parse('2026-10-05T09:00:00Z');
  for (const opening of [null, { createdAt, app: null }, { createdAt, app: 'chatgpt-codex-connector' }]) {
    expect(isOfMachine(withOpener(stored, opening, knownAgents))).toBe(true);
    const person = { ...stored, kinds: toBits({ kinds: [], isOpenerWanted: true }) };
    expect(isOfMachine(withOpener(person, opening, knownAgents))).toBe(false);
  }
});

test('labels and a branch with a second sign', () => {
  expect(ofPullRequest({ labels: ['AI-Assisted'] })).toMatchObject({ class: 'ai_assisted', kinds: ['label'] });
  expect(ofPullRequest({ labels: null }).class).toBe('unread');
  const signed = { headBranch: 'claude/tidy', commits: [aCommit(), aCommit({ authors: [ann, claude] })] };
  expect(ofPullRequest(signed)).toMatchObject({ class: 'agent_authored', kinds: ['branch_prefix', 'co_author'] });
  const committed = { headBranch: 'cursor/tidy', commits: [aCommit({ committer: cursorBot })] };
  expect(ofPullRequest(committed)).toMatchObject({ class: 'agent_authored', kinds: ['branch_prefix'] });
  expect(ofPullRequest({ ...signed, isFromFork: true }).class).toBe('ai_assisted');
});

test('the app that opened it is wanted where a branch speaks for an agent and no record says that it is the author', () => {
  const headBranch = 'codex/fix-1';
  const isWanted = (parts: Partial<PullRequestSigns>) => ofPullRequest({ headBranch, ...parts }).isOpenerWanted;
  expect(isWanted({})).toBe(true);
  expect(isWanted({ labels: ['copilot'] })).toBe(true);
  expect(isWanted({ author: bot('openai-codex') })).toBe(false);
  expect(isWanted({ isFromFork: true })).toBe(true);
  expect(isWanted({ headBranch: 'fix-1' })).toBe(false);
  // Agents without an app that opens pull requests, and one that another mark says is the author already.
  expect(isWanted({ headBranch: 'claude/fix-1' })).toBe(false);
  expect(isWanted({ commits: [aCommit({ authors: [ann, { name: 'Copilot', address: 'copilot@github.com' }] })] })).toBe(
    false,
  );
});

test('a branch with the identity of any agent on a commit is written by the agent of the branch', () => {
  const claude = { name: 'Claude', address: 'noreply@anthropic.com' };
  expect(ofPullRequest({ headBranch: 'cursor/x', commits: [aCommit({ authors: [ann, claude] })] })).toMatchObject({
    class: 'agent_authored',
    agent: 'Cursor',
    kinds: ['branch_prefix', 'co_author'],
  });
});

test('a row with the effect none marks nothing, and takes back the row of the same kind and value', () => {
  const row = { ...(knownAgents[0] as AgentRow), agent: 'Own', effect: 'none' as const };
  const denied = { ...table, agents: [...table.agents, { ...row, kind: 'branch' as const, value: 'release/' }] };
  expect(classify(aPullRequest({ headBranch: 'release/1' }), denied)).toMatchObject({
    class: 'unmarked',
    isBranchOnly: false,
    isOpenerWanted: false,
  });
  const byClaude = aPullRequest({
    commits: [aCommit({ authors: [ann, { name: 'C', address: 'noreply@anthropic.com' }] })],
  });
  expect(classify(byClaude, table).class).toBe('ai_assisted');
  const without = { ...row, kind: 'address' as const, value: 'Noreply@anthropic.com' };
  expect(classify(byClaude, { ...table, agents: [...table.agents, without] }).class).toBe('unmarked');
});

test('an app that does not author is no mark', () => {
  const row: AgentRow = { ...(knownAgents[0] as AgentRow), kind: 'app', value: 'helper', effect: 'assist' };
  const own = { ...table, agents: [...table.agents, row] };
  expect(classify(aPullRequest({ app: 'helper' }), own).class).toBe('unmarked');
});

test('trailers and addresses are exact', () => {
  const withMessage = (message: string) => ofPullRequest({ commits: [aCommit({ message })] }).class;
  expect(withMessage('Fix\n\nAssisted-by: Claude')).toBe('ai_assisted');
  expect(withMessage('Fix\n\nAssisted-by: Claude Martin <claude@example.com>')).toBe('unmarked');
  expect(withMessage('Made-with: Cursor')).toBe('unmarked');
  expect(withMessage('Fix\n\n> Made-with: Cursor')).toBe('unmarked');
  const named = { name: 'Ann (aider)', address: 'ann@example.com' };
  expect(ofPullRequest({ commits: [aCommit({ authors: [named] })] }).class).toBe('ai_assisted');
  const atDomain = { name: 'aider', address: 'gpt@aider.chat' };
  expect(ofPullRequest({ commits: [aCommit({ authors: [ann, atDomain] })] }).agent).toBe('aider');
  const lookalike = { name: 'x', address: 'gpt@not-aider.chat' };
  expect(ofPullRequest({ commits: [aCommit({ authors: [ann, lookalike] })] }).class).toBe('unmarked');
});

test('agents that review are no authors, unless they wrote every commit', () => {
  const address = '136622811+coderabbitai[bot]@users.noreply.github.com';
  const rabbit = { name: 'coderabbitai[bot]', address };
  expect(ofPullRequest({ author: bot('coderabbitai') }).class).toBe('automation');
  expect(ofPullRequest({ commits: [aCommit({ authors: [ann, rabbit] })] }).class).toBe('unmarked');
  expect(ofPullRequest({ commits: [aCommit({ authors: [rabbit] })] }).class).toBe('agent_authored');
});

const names = ['Claude', 'Devin', 'Jules', 'Cody', 'Cursor', 'Codex', 'Continue', 'Amp', 'Copilot', 'Replit'];
const ids = knownAgents
  .filter(({ kind, value }) => kind === 'account' && /^\d+$/.test(value))
  .map(({ value }) => value);
const prefixes = knownAgents.filter(({ kind }) => kind === 'branch').map(({ value }) => value);

test('500 variations of vectors 5, 6 and 9: people of such names and branches are never marked', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = randomStream('people called like agents', seed);
    const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
    const name = pick(names);
    const login = pick([name.toLowerCase(), `${name.toLowerCase()}-${seed}`, name]);
    // An id that begins or ends as one of an agent, and is none.
    const nearId = pick([`${pick(ids)}${seed % 10}`, `${1 + (seed % 9)}${pick(ids)}`, String(10_000 + seed)]);
    const address = pick([
      `${nearId}+${login}@users.noreply.github.com`,
      `${login}@users.noreply.github.com`,
      `${login}@example.com`,
      `noreply@${login}.example`,
      `${pick(ids)}+${login}@example.com`,
    ]);
    const person = { name: pick([name, `${name} ${seed}`, `${name} [bot]`]), address };
    const signs = aPullRequest({
      author: { id: Number(nearId), login, isBot: false },
      headBranch: pick([`${pick(prefixes)}change-${seed}`, `feature/${login}`, login]),
      commits: [aCommit({ authors: [person] }), aCommit({ authors: [ann, person], committer: person })],
    });
    expect(classify(signs, table), JSON.stringify(signs)).toMatchObject({ class: 'unmarked', kinds: [], agent: null });
  }
});
