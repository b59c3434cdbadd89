import type { Platform } from '../../codehost/changes/client.ts';
import type { Store } from '../../store/orm.ts';

/**
 * Reads what became of the open pull requests that were opened from here, 50 in one request. One that the token may not
 * see stays as it was.
 */
export async function readPullRequestStates(
  store: Store,
  codehost: Platform,
): Promise<{ read: number; merged: number }> {
  const open = await store.advisorPullRequests.open();
  const states = await codehost.pullRequestStates(open);
  for (const [index, { operationId }] of open.entries()) {
    const state = states[index];
    if (state && state.state !== 'open') await store.advisorPullRequests.become(operationId, state);
  }
  const seen = states.filter((one) => one !== null);
  return { read: seen.length, merged: seen.filter(({ state }) => state === 'merged').length };
}
