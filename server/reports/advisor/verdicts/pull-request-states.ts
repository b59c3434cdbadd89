import type { Services } from '../../../access/context.ts';
import { Problem } from '../../../platform/problem.ts';
import { openServiceToken } from '../../../platform/service-token.ts';

/**
 * Reads with the service's own token what became of the open pull requests that were opened from here, 50 in one
 * request. One that it may not see stays as it was.
 * @throws Problem `service_token_missing` where the platform rejects the token.
 */
export async function readPullRequestStates(services: Services): Promise<{ read: number; merged: number }> {
  const { store, env, connect } = services;
  if (!store || !env.CODEHOST_TOKEN) throw new Error('Reading pull requests needs a database and a token.');
  const open = await store.advisorPullRequests.open();
  if (open.length === 0) return { read: 0, merged: 0 };
  const codehost = connect(openServiceToken(env.CODEHOST_TOKEN), { background: true });
  const states = await codehost.pullRequestStates(open).catch((error: unknown) => {
    const isRejected = error instanceof Problem && error.code === 'unauthenticated';
    throw isRejected ? new Problem('service_token_missing', 'GitHub rejected the service token.') : error;
  });
  for (const [index, { operationId }] of open.entries()) {
    const state = states[index];
    if (state && state.state !== 'open') await store.advisorPullRequests.become(operationId, state);
  }
  const seen = states.filter((one) => one !== null);
  return { read: seen.length, merged: seen.filter(({ state }) => state === 'merged').length };
}
