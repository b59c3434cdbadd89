import { expect, test } from 'vitest';
import {
  type CommitPerson,
  type CommitSigns,
  classify,
  type PullRequestSigns,
} from '../../../server/metrics/ai-authorship/classify.ts';
import { type RandomStream, randomStream } from '../../../server/metrics/kernel/random-stream.ts';
import { aCommit, aPullRequest, table } from './signs.ts';

/** Agents as the contract names them in section 3.3, written down here once more. */
const agents = [
  { name: 'Copilot', id: 198982749, login: 'copilot-swe-agent', branch: 'copilot/' },
  { name: 'Devin', id: 158243242, login: 'devin-ai-integration', branch: 'devin/' },
  { name: 'Claude', id: 209825114, login: 'claude', branch: 'claude/' },
  { name: 'Cursor', id: 206951365, login: 'cursor', branch: 'cursor/' },
  { name: 'Codex', id: 199175422, login: 'chatgpt-codex-connector', branch: 'codex/' },
  { name: 'Jules', id: 161369871, login: 'google-labs-jules', branch: 'jules/' },
  { name: 'Amazon Q', id: 208079219, login: 'amazon-q-developer', branch: 'q/' },
] as const;
const addresses = [
  ['Copilot', 'copilot@github.com'],
  ['Copilot', '223556219+Copilot@users.noreply.github.com'],
  ['Claude', 'noreply@anthropic.com'],
  ['Cursor', 'cursoragent@cursor.com'],
  ['Codex', 'codex@openai.com'],
  ['aider', 'anything@aider.chat'],
  ['Amp', 'amp@ampcode.com'],
] as const;
const trailers = ['Made-with: Cursor', 'Replit-Commit-Author: Agent', 'Assisted-by: Claude', 'Generated-by: Codex'];

interface Planted {
  truth: 'automation' | 'agent_authored' | 'ai_assisted' | 'unmarked';
  agent: string | null;
  signs: PullRequestSigns;
}

const pickOf =
  (random: RandomStream) =>
  <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T;

/** A person, at times with a name or a login like that of an agent. */
function drawPerson(random: RandomStream): CommitPerson & { id: number; login: string } {
  const pick = pickOf(random);
  const id = 1_000_000 + Math.floor(random() * 8_000_000);
  const login = pick(['ana', 'bea', 'claude', 'devin', 'jules', 'cody', 'cursor-fan', 'amp']);
  const address = pick([`${id}+${login}@users.noreply.github.com`, `${login}@example.com`, `${login}@aider.example`]);
  return { id, login, name: pick([login, 'Claude', 'Devin', 'Jules', 'Ana']), address };
}

/** Nothing of it is a mark. */
const innocent = [
  'Change something',
  'Quote what it says\n\nMade-with: Cursor\n\nand go on',
  'Mention Co-authored-by: Claude <noreply@anthropic.com> in a sentence',
  'Made-with: Cursor',
  'Explain it\n\nReviewed-by: Claude',
];

const plants: readonly ((random: RandomStream) => Planted)[] = [
  (random) => ({
    truth: 'automation',
    agent: null,
    signs: ofPeople(random, {
      author: { id: null, login: pickOf(random)(['dependabot', 'renovate', 'release-please']), isBot: true },
    }),
  }),
  (random) => {
    const { name, id, login } = pickOf(random)(agents);
    const author = pickOf(random)([
      { id: null, login, isBot: true },
      { id, login: `${login}[bot]`, isBot: true },
    ]);
    return { truth: 'agent_authored', agent: name, signs: ofPeople(random, { author }) };
  },
  (random) => {
    const { name, id, login } = pickOf(random)(agents);
    const own = { name: `${login}[bot]`, address: `${id}+${login}[bot]@users.noreply.github.com` };
    const commits = drawCommits(random).map((commit) => (commit.isMerge ? commit : { ...commit, authors: [own] }));
    return { truth: 'agent_authored', agent: name, signs: ofPeople(random, { commits }) };
  },
  (random) => {
    const [agent, address] = pickOf(random)(addresses);
    return { truth: 'ai_assisted', agent, signs: ofPeople(random, { commits: withCoAuthor(random, address) }) };
  },
  (random) => {
    const trailer = pickOf(random)(trailers);
    const [first, ...rest] = drawCommits(random);
    const commits = [{ ...(first ?? aCommit()), isMerge: false, message: `Change it\n\nWhy.\n\n${trailer}` }, ...rest];
    const agent = trailer.startsWith('Replit') ? 'Replit' : (trailer.split(': ')[1] ?? '');
    return { truth: 'ai_assisted', agent, signs: ofPeople(random, { commits }) };
  },
  (random) => ({ truth: 'unmarked', agent: null, signs: ofPeople(random, {}) }),
  (random) => ({
    truth: 'unmarked',
    agent: null,
    signs: ofPeople(random, { headBranch: `${pickOf(random)(agents).branch}change` }),
  }),
];

function drawCommits(random: RandomStream): CommitSigns[] {
  const pick = pickOf(random);
  const commits = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const { name, address } = drawPerson(random);
    return aCommit({ authors: [{ name, address }], message: pick(innocent) });
  });
  const { name, address } = drawPerson(random);
  return random() < 0.3 ? [...commits, aCommit({ isMerge: true, authors: [{ name, address }] })] : commits;
}

function withCoAuthor(random: RandomStream, address: string): CommitSigns[] {
  const commits = drawCommits(random);
  const place = Math.floor(random() * commits.length);
  return commits.map((commit, index) =>
    index === place ? { ...commit, authors: [...commit.authors, { name: 'Whoever', address }] } : commit,
  );
}

function ofPeople(random: RandomStream, parts: Partial<PullRequestSigns>): PullRequestSigns {
  const { id, login } = drawPerson(random);
  return aPullRequest({
    author: { id, login, isBot: false },
    headBranch: pickOf(random)(['improve', 'claude-fix', 'feature/cursor', 'codex']),
    labels: random() < 0.3 ? ['ai', 'agents', 'bug'] : [],
    commits: drawCommits(random),
    ...parts,
  });
}

test('2,000 synthetic pull requests: whatever is marked by a record is of its class and agent', () => {
  let marked = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const random = randomStream('synthetic marks', seed);
    const { truth, agent, signs } = pickOf(random)(plants)(random);
    const found = classify(signs, table);
    expect({ class: found.class, agent: found.agent }, JSON.stringify(signs)).toEqual({ class: truth, agent });
    if (found.kinds.length > 0) marked += 1;
  }
  expect(marked).toBeGreaterThan(1000);
});
