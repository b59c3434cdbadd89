import type { Instant } from '../kernel/facts.ts';

/** The version of the table below; what was marked by another one is marked anew. */
export const agentDataVersion = '2026-12';

/** What an account of an agent does at a pull request. */
export const agentEffects = ['author', 'assist', 'review', 'none'] as const;

/**
 * What a row is recognized by: an account by its id or by `login[bot]`; an app by its slug; an address of a commit, or
 * `@domain` for all of one; the beginning of a head branch; a trailer of a commit, or `(name)` for how author names end.
 */
export const agentKinds = ['account', 'app', 'address', 'branch', 'trailer'] as const;

/** One thing by which an agent is recognized. Names of people and words never are one. */
export interface AgentRow {
  agent: string;
  effect: (typeof agentEffects)[number];
  kind: (typeof agentKinds)[number];
  value: string;
  /** The day from which, and up to which, pull requests are created for which it counts; null without an end. */
  validFrom: string | null;
  validTo: string | null;
  /** When it was last checked. */
  seen: string;
  confidence: 'confirmed' | 'single_source';
  source: string;
}

interface KnownAgent {
  agent: string;
  effect?: AgentRow['effect'];
  /** Ids with their logins; null where only the id is known. */
  accounts?: readonly (readonly [id: number, login: string | null, effect?: AgentRow['effect']])[];
  addresses?: readonly string[];
  branch?: string;
  app?: string;
  trailers?: readonly string[];
}

const known: readonly KnownAgent[] = [
  {
    agent: 'Copilot',
    accounts: [
      [198982749, 'copilot-swe-agent'],
      [167198135, 'copilot', 'assist'],
      [223556219, null, 'assist'],
    ],
    addresses: ['copilot@github.com'],
    branch: 'copilot/',
    app: 'copilot-swe-agent',
  },
  { agent: 'Devin', accounts: [[158243242, 'devin-ai-integration']], branch: 'devin/' },
  {
    agent: 'Claude',
    accounts: [
      [209825114, 'claude'],
      [215619710, 'anthropic-claude'],
      [208546643, 'claude-code-action'],
    ],
    addresses: ['noreply@anthropic.com'],
    branch: 'claude/',
  },
  {
    agent: 'Cursor',
    accounts: [
      [206951365, 'cursor'],
      [201670782, 'cursoragent'],
    ],
    addresses: ['cursoragent@cursor.com'],
    branch: 'cursor/',
    trailers: ['Made-with: Cursor'],
  },
  {
    agent: 'Codex',
    accounts: [
      [199175422, 'chatgpt-codex-connector'],
      [215057067, 'openai-codex'],
    ],
    addresses: ['codex@openai.com'],
    branch: 'codex/',
    app: 'chatgpt-codex-connector',
  },
  { agent: 'Jules', accounts: [[161369871, 'google-labs-jules']] },
  { agent: 'Amazon Q', accounts: [[208079219, 'amazon-q-developer']] },
  { agent: 'aider', addresses: ['@aider.chat'], trailers: ['(aider)'] },
  { agent: 'Amp', addresses: ['amp@ampcode.com'] },
  { agent: 'Cline', accounts: [[205137888, 'cline']] },
  { agent: 'Continue', accounts: [[230936708, 'continue']] },
  { agent: 'Replit', trailers: ['Replit-Commit-Author: Agent', 'Replit-Commit-Author: Assistant'] },
  { agent: 'Gemini Code Assist', effect: 'review', accounts: [[176961590, 'gemini-code-assist']] },
  { agent: 'CodeRabbit', effect: 'review', accounts: [[136622811, 'coderabbitai']] },
  { agent: 'Sourcegraph', effect: 'review', accounts: [[201248094, null]] },
  { agent: 'JetBrains', effect: 'review', accounts: [[220155983, null]] },
];

/** Trailers that name an agent as their value. */
const namingTrailers = ['Assisted-by', 'Generated-by'];

/** Agents that are known from public material. Identities are ids and exact addresses, which no person shares. */
export const knownAgents: readonly AgentRow[] = known.flatMap((one) => {
  const { agent, effect = 'author', accounts = [], addresses = [], branch, app, trailers = [] } = one;
  const row = (kind: AgentRow['kind'], value: string, ofRow: AgentRow['effect']): AgentRow => ({
    agent,
    effect: ofRow,
    kind,
    value,
    validFrom: null,
    validTo: null,
    seen: '2026-07-17',
    confidence: kind === 'account' ? 'confirmed' : 'single_source',
    source: 'Public survey of 2026-07-17',
  });
  const named = effect === 'author' ? namingTrailers.map((key) => `${key}: ${agent}`) : [];
  return [
    ...accounts.flatMap(([id, login, own = effect]) => [
      row('account', String(id), own),
      ...(login === null ? [] : [row('account', `${login}[bot]`, own)]),
    ]),
    ...(app ? [row('app', app, 'author')] : []),
    ...addresses.map((address) => row('address', address, 'assist')),
    ...(branch ? [row('branch', branch, 'author')] : []),
    ...[...trailers, ...named].map((trailer) => row('trailer', trailer, 'assist')),
  ];
});

/** Whether a row counts for a pull request that was created then. */
export function isValidAt({ validFrom, validTo }: AgentRow, createdAt: Instant): boolean {
  const day = new Date(createdAt).toISOString().slice(0, 10);
  return (validFrom === null || validFrom <= day) && (validTo === null || day <= validTo);
}
