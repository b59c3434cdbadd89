import type { Context } from '../../access/context.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import type { FoundNames } from './report.ts';
import { maxFound } from './schema.ts';

/** The sample organization has no database: its names come from its workflows and members. */
export async function findSampleNames(
  q: string,
  repositories: readonly Repository[],
  context: Context,
): Promise<FoundNames> {
  const codehost = await context.codehost();
  const text = q.toLowerCase();
  const lists = await Promise.all(
    repositories.map(async (repository) => {
      const { items } = await codehost.workflows.list(repository);
      return items.map(({ id, name }) => ({
        repo: `${repository.owner}/${repository.repo}`,
        workflowId: id,
        workflow: name,
      }));
    }),
  );
  return {
    workflows: lists
      .flat()
      .filter(({ workflow }) => workflow.toLowerCase().includes(text))
      .slice(0, maxFound),
    people: await findPeople(text, repositories, context),
  };
}

/** Whoever started one of the latest runs. */
async function findPeople(
  text: string,
  repositories: readonly Repository[],
  context: Context,
): Promise<FoundNames['people']> {
  const codehost = await context.codehost();
  const lists = await Promise.all(repositories.map((one) => codehost.runs.recent(one, 0, 1)));
  const logins = lists.flatMap(({ items }) =>
    items.flatMap(({ actor }) => (actor && !actor.isBot && actor.login.includes(text) ? actor.login : [])),
  );
  const owner = repositories[0]?.owner ?? '';
  return [...new Set(logins)].sort().map((login) => ({ login, owner }));
}
