import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { RepoItem, repoItem } from '../repositories/list.ts';
import { RunItem, runItems } from '../runs/report.ts';
import { RunSummary, summarize } from '../runs/summary.ts';

export const demoResources = ['repos', 'runs', 'summary'] as const;

export const DemoAnswer = z.union([
  z.object({ repos: z.array(RepoItem) }),
  z.object({ summary: RunSummary }),
  z.object({ runs: z.array(RunItem) }),
]);

interface DemoInput {
  resource: (typeof demoResources)[number];
  repo?: string | undefined;
  count: number;
}

/** The sample organization in the shapes of the real answers; the same bytes all day long. */
export async function demoAnswer(
  { resource, repo, count }: DemoInput,
  context: Context,
  _reply: Reply,
): Promise<Domain<typeof DemoAnswer>> {
  const { codehost } = context.services.demo();
  const { items } = await codehost.repositories.mine();
  if (resource === 'repos') return { repos: items.map(repoItem) };
  const repository = repo === undefined ? items[0] : items.find((one) => one.repo.toLowerCase() === repo.toLowerCase());
  if (!repository) throw new Problem('not_found', 'The demo has no such repository.');
  return resource === 'runs' ? { runs: await demoRuns(repository, count, context) } : demoSummary(repository, context);
}

async function demoRuns(repository: Repository, count: number, context: Context) {
  const { items } = await context.services.demo().codehost.runs.recent(repository, 0, Math.ceil(count / 100));
  return runItems(items.slice(0, count), repository.defaultBranch);
}

async function demoSummary(repository: Repository, context: Context) {
  const { items, partial } = await context.services.demo().codehost.runs.recent(repository, 0, 5);
  const calendar = await teamCalendar({ services: { ...context.services, store: null } });
  const now = context.services.demo().clock.now();
  const window = { now, calendar, defaultBranch: repository.defaultBranch, complete: !partial };
  return { summary: summarize(items, window) };
}
