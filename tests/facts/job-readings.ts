import { memoryJobRepository } from '../../server/facts/job-repository.ts';
import { type AttemptOfRun, readRunJobs } from '../../server/facts/jobs.ts';
import type { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { hour } from '../store/world.ts';

export const fork = { owner: 'octo', repo: 'fork' };
/** When the runs of these tests were made. */
export const window = { from: namedNow - 20 * hour, to: namedNow - hour, firstId: 1 };

/** A reader of jobs of octo/fork from the double, with a repository of its own as one process has it. */
export function jobReader(platform: ReturnType<typeof withDouble>) {
  const factRepository = memoryJobRepository();
  return {
    jobRepository: factRepository,
    runs: async () => (await platform.as().codehost.runs.recent(fork, 0, 1)).items,
    /** Answers the jobs, and how many requests they cost: over GraphQL, and in all. */
    async read(runs: AttemptOfRun[], detail: 'times' | 'full' = 'times') {
      const { codehost, clock } = platform.as();
      const repository = await codehost.repositories.get(fork);
      const { requests } = platform.double;
      requests.length = 0;
      const found = await readRunJobs({ codehost, jobs: factRepository, clock }, repository, runs, detail);
      const graphql = requests.filter((one) => one.graphql);
      return { ...found, requests: requests.length, graphql: graphql.length, points: graphql.map(({ cost }) => cost) };
    },
  };
}
