import { knownAgents } from '../../../server/metrics/ai-authorship/agents.ts';
import type {
  CommitPerson,
  CommitSigns,
  MarkTable,
  PullRequestSigns,
} from '../../../server/metrics/ai-authorship/classify.ts';
import { createPeople } from '../../../server/metrics/people/people.ts';

/** What is in effect until somebody changes the setting. */
export const table: MarkTable = {
  agents: knownAgents,
  labels: ['ai-assisted', 'ai-generated', 'claude-code-assisted', 'copilot'],
  people: createPeople([], ['deploy-machine']),
};

export const ann: CommitPerson = { name: 'Ann', address: 'ann@example.com' };

export const aCommit = (parts: Partial<CommitSigns> = {}): CommitSigns => ({
  isMerge: false,
  authors: [ann],
  committer: null,
  message: 'Change something',
  ...parts,
});

/** A pull request of a person without any mark. */
export const aPullRequest = (parts: Partial<PullRequestSigns> = {}): PullRequestSigns => ({
  createdAt: Date.parse('2026-10-05T09:00:00Z'),
  author: { id: 1001, login: 'ann', isBot: false },
  headBranch: 'improve-something',
  isFromFork: false,
  app: null,
  labels: [],
  commits: [aCommit(), aCommit(), aCommit()],
  isComplete: true,
  ...parts,
});
