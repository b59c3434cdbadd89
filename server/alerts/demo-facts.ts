import type { Context } from '../access/context.ts';
import { storeOpenPullRequests } from '../facts/open-pull-requests.ts';
import { listAllRuns, listAttempts } from '../reports/ci/demo.ts';
import type { PullRequestSource } from './pull-request-facts.ts';
import type { RunSource } from './run-facts.ts';

/** What of a store the rules of the sample organization are judged from. */
export type SampleSource = RunSource & PullRequestSource;

/** The sample organization has no database: its history is what one would hold of it, complete up to now. */
export async function readSampleSource(context: Context): Promise<SampleSource> {
  const codehost = await context.codehost();
  const { answers, clock } = context.services;
  const now = clock.now();
  const { items } = await codehost.repositories.mine();
  const find = (id: number) => {
    const found = items.find((one) => one.id === id);
    if (!found) throw new Error(`The sample has no repository ${id}.`);
    return found;
  };
  const put = (key: string, value: unknown, at: number, storedMs: number) => answers.put(key, value, at, at + storedMs);
  for (const one of items) await storeOpenPullRequests(one.id, one, { codehost, store: { answers: { put } } });
  return {
    runs: {
      async attempts(repoId) {
        const repository = find(repoId);
        const runs = await listAllRuns(codehost, repository, { from: 0, to: now });
        return listAttempts(codehost, { repository, runs });
      },
      // Those above are all there are.
      leadingUp: async () => [],
      knownFrom: async () => 0,
    },
    repositories: { findCodehostId: async (id) => id },
    facts: {
      syncStates: async () => [{ kind: 'pull_requests', floor: 0, through: now, capped: false }],
      facts: async ({ id }) => (await codehost.pullRequests.closed(find(id), 0)).items,
    },
    answers,
  };
}
