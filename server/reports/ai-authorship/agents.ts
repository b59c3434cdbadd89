import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { knownAgents } from '../../metrics/ai-authorship/agents.ts';
import { authorshipNote } from '../../metrics/ai-authorship/classes.ts';
import { type AiAuthorshipSettings, markTable, markTableVersion } from '../../settings/ai-authorship.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import type { AgentTable } from './schema.ts';

/** By what agents are recognized: the known ones, and those of one's own. */
export async function agentTable(
  _input: object,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Domain<typeof AgentTable>> {
  const { timezone } = await teamCalendar(context);
  return {
    agents: markTable(settings).agents.map((row) => ({ ...row, own: !knownAgents.includes(row) })),
    tableVersion: markTableVersion(settings, timezone),
    note: authorshipNote,
    generatedAt: context.services.clock.now(),
  };
}
