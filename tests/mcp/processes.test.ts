import type { Client } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { tokenFeatures } from '../../server/api/tokens/fields.ts';
import type { ToolAnswer } from '../../server/mcp/result.ts';
import { makeToken } from '../access/made-token.ts';
import { postgresDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { startService } from '../support/service.ts';
import { calls } from './calls.ts';
import { connectClient, revision } from './client.ts';

/** A few pages of a list, each with the cursor that another process gave. */
async function readPages(client: Client) {
  let cursor: string | null = null;
  for (let page = 0; page < 3; page++) {
    const input = { owner: 'many', limit: 5, ...(cursor && { cursor }) };
    const { isError, structuredContent } = await client.callTool({ name: 'find_repositories', arguments: input });
    expect([page, isError ?? false]).toEqual([page, false]);
    ({ next_cursor: cursor } = structuredContent as ToolAnswer);
  }
}

/** What a client does; all but calls of tools. */
const requests: readonly ((client: Client) => Promise<unknown>)[] = [
  (client) => client.listTools(),
  (client) => client.readResource({ uri: 'das://glossary/lead_time' }),
  (client) => client.getPrompt({ name: 'slow_ci', arguments: { owner: 'octo', repo: 'web' } }),
  (client) =>
    client.complete({ ref: { type: 'ref/prompt', name: 'slow_ci' }, argument: { name: 'metric', value: 'lead' } }),
  readPages,
];

postgresDatabase((database) => {
  test('clients are answered by two processes in turn, whichever made what they send', async () => {
    const env = {
      DATABASE_URL: await database.migrated(),
      RATE_LIMIT_SESSION_PER_MINUTE: '0',
      MCP_RATE_PER_MINUTE: '0',
    };
    const one = await startService(env);
    const other = await startService(env, one);
    const { headers } = await makeToken(one, 'token-ann', tokenFeatures);
    let sent = 0;
    const inTurn = {
      get app() {
        return (sent++ % 2 === 0 ? one : other).app;
      },
    };
    const clients = [
      await connectClient(inTurn, headers, { pin: revision }),
      await connectClient(inTurn, headers, 'legacy'),
    ];
    for (let turn = 0; sent < rounds('MCP_CALLS', 100, 1000); turn++) {
      const client = clients[turn % clients.length] as Client;
      const [name, input] = calls[turn % calls.length] as (typeof calls)[number];
      const { isError, content } = await client.callTool({ name, arguments: input });
      expect([name, input, isError ? content : null]).toEqual([name, input, null]);
      await requests[turn % requests.length]?.(client);
    }
    await other.close();
    await one.close();
  });
});
