import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { knownAgents } from '../../metrics/ai-authorship/agents.ts';
import { authorshipNote } from '../../metrics/ai-authorship/classes.ts';
import { type AiAuthorshipSettings, agentRows, markTableVersion } from '../../settings/ai-authorship.ts';
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
    agents: agentRows(settings).map((row) => ({ ...row, own: !knownAgents.includes(row) })),
    tableVersion: markTableVersion(settings, { timezone, botLogins: context.services.env.BOT_LOGINS }),
    note: authorshipNote,
    generatedAt: context.services.clock.now(),
  };
}
