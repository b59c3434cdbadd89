import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  type AgentRow,
  agentDataVersion,
  agentEffects,
  agentKinds,
  knownAgents,
} from '../metrics/ai-authorship/agents.ts';
import type { MarkTable } from '../metrics/ai-authorship/classify.ts';
import { createPeople } from '../metrics/people/people.ts';
import { withoutAddresses } from '../platform/mail-address.ts';
import { setting } from './setting.ts';

const day = z.iso.date('is not a day, such as 2026-11-01').nullable();
const label = z.string().trim().min(1).max(50);
const agentName = z.string().trim().min(1).max(50);

/** A row of one's own, such as an in-house agent. */
const OwnAgent = z.object({
  agent: agentName,
  kind: z.enum(agentKinds, 'is recognized by none of account, app, address, branch and trailer'),
  value: z.string().trim().min(2).max(200),
  effect: z.enum(agentEffects, 'has none of the effects author, assist, review and none'),
  valid_from: day,
  valid_to: day,
});

/** How values of each kind are written: ids and exact texts, nothing that people have by chance. */
const valuesOf: Record<(typeof agentKinds)[number], { pattern: RegExp; text: string }> = {
  account: { pattern: /^(\d+|[\w-]+\[bot\])$/, text: 'is neither the id of an account nor login[bot]' },
  app: { pattern: /^[a-z\d][a-z\d-]*$/, text: 'is not the slug of an app' },
  address: { pattern: /^[^@\s]+@[^@\s]+$/, text: 'is not a complete email address' },
  branch: { pattern: /^\S+[/_-]$/, text: 'is not the beginning of a branch that ends in /, _ or -' },
  trailer: { pattern: /^([A-Za-z][\w-]*: \S.*|\(\S.*\))$/, text: 'is neither Key: value nor (name)' },
};

const WrittenAgent = OwnAgent.superRefine(({ kind, value }, context) => {
  const { pattern, text } = valuesOf[kind];
  if (!pattern.test(value)) context.addIssue({ code: 'custom', path: ['value'], message: text });
});

/** Neither a complete address, nor one within a text that people write. */
const masked = (row: z.output<typeof OwnAgent>) => ({
  ...row,
  agent: withoutAddresses(row.agent),
  value: row.kind === 'address' ? row.value.replace(/^(.)[^@]*/u, '$1•••') : withoutAddresses(row.value),
});

const shape = z.object({
  enabled: z.boolean().meta({ description: '`false` reads nothing, and answers with `feature_off`.' }),
  labels: z.array(label).max(50).meta({ description: 'Labels that mark a pull request.' }),
  own_agents: z.array(OwnAgent).max(100).meta({ description: 'Agents beside those that are known.' }),
  repositories_excluded: z
    .array(z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'is not owner/name'))
    .max(500)
    .meta({ description: 'Repositories that are not read and do not count, as owner/name.' }),
});

/** Whether marks of agents are looked for, and by what; contract of the three answers, section 3.8. */
export const aiAuthorship = setting({
  key: 'ai_authorship',
  title: 'AI-authored pull requests',
  shape,
  input: shape.extend({
    own_agents: z.array(WrittenAgent).max(100).meta({ description: 'Agents beside those that are known.' }),
  }),
  fallback: {
    enabled: false,
    labels: ['ai-assisted', 'ai-generated', 'claude-code-assisted', 'copilot'],
    own_agents: [],
    repositories_excluded: [],
  },
  audited: { own_agents: (rows) => OwnAgent.array().safeParse(rows).data?.map(masked) ?? [] },
  saved: async ({ enabled }, store) => {
    if (!enabled) await store.pullRequestMarks.forgetAll();
  },
});

export type AiAuthorshipSettings = z.output<typeof aiAuthorship.shape>;

/** What marks are looked for by: the known agents and those of one's own. `botLogins` are further accounts of bots. */
export const markTable = (settings: AiAuthorshipSettings, botLogins: readonly string[]): MarkTable => ({
  labels: settings.labels,
  agents: agentRows(settings),
  people: createPeople([], botLogins),
});

/** By what agents are recognized. */
export const agentRows = ({ own_agents }: Pick<AiAuthorshipSettings, 'own_agents'>): AgentRow[] => [
  ...knownAgents,
  ...own_agents.map(toRow),
];

/** Another one where other things are stored of a pull request: what was read before is read anew. */
const reading = 'with links by ten digits and whether a bot opened it';

/** Which version of the table marks were found by, and in which months they count; another one marks anew. */
export function markTableVersion(
  { labels, own_agents }: Pick<AiAuthorshipSettings, 'labels' | 'own_agents'>,
  { timezone, botLogins }: { timezone: string; botLogins: readonly string[] },
): string {
  const own = hash('sha256', JSON.stringify([reading, labels, own_agents, timezone, botLogins])).slice(0, 8);
  return `${agentDataVersion}.${own}`;
}

const toRow = ({ valid_from, valid_to, ...row }: AiAuthorshipSettings['own_agents'][number]): AgentRow => ({
  ...row,
  validFrom: valid_from,
  validTo: valid_to,
  seen: agentDataVersion,
  confidence: 'confirmed',
  source: 'Settings of this service',
});
