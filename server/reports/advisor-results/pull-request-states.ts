import type { Platform } from '../../codehost/changes/client.ts';
import { statesPerRequest } from '../../codehost/pull-requests/states.ts';
import type { Store } from '../../store/orm.ts';

interface Reading {
  store: { advisorPullRequests: Pick<Store['advisorPullRequests'], 'open' | 'become'> };
  codehost: Pick<Platform, 'pullRequestStates'>;
  mayContinue(): boolean;
}

/**
 * Reads what became of the open pull requests that were opened from here, and stores it after each request, while there
 * is time. One that the token may not see stays as it was.
 */
export async function readPullRequestStates({
  store,
  codehost,
  mayContinue,
}: Reading): Promise<{ read: number; merged: number }> {
  const open = await store.advisorPullRequests.open();
  const done = { read: 0, merged: 0 };
  for (let from = 0; from < open.length && mayContinue(); from += statesPerRequest) {
    const batch = open.slice(from, from + statesPerRequest);
    const states = await codehost.pullRequestStates(batch);
    for (const [index, { operationId }] of batch.entries()) {
      const state = states[index];
      if (!state) continue;
      done.read++;
      if (state.state === 'merged') done.merged++;
      if (state.state !== 'open') await store.advisorPullRequests.become(operationId, state);
    }
  }
  return done;
}
