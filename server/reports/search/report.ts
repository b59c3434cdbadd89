import type { Context } from '../../access/context.ts';
import { mayUse } from '../../access/decision.ts';
import type { Domain } from '../../api/wire.ts';
import type { Repository } from '../../metrics/kernel/facts.ts';
import { visibleRepositories } from '../repositories/visibility.ts';
import { findSampleNames } from './demo.ts';
import { maxFound, type SearchReport } from './schema.ts';

type Answer = Domain<typeof SearchReport>;
export type FoundNames = Pick<Answer, 'workflows' | 'people'>;

const authorDays = 90;

/** Finds by name what the caller can see. Proof of that is all that is requested of the platform. */
export async function searchReport({ q = '' }: { q?: string | undefined }, context: Context): Promise<Answer> {
  const mayFindPeople = await mayUse('contributorProfile', context);
  const withheld = mayFindPeople ? [] : [{ feature: 'contributorProfile' as const, fields: ['people'] }];
  if (q === '') return { q, repositories: [], workflows: [], people: [], withheld };
  const visible = await visibleRepositories(context);
  const names = context.isDemo ? await findSampleNames(q, visible, context) : await findStored(q, visible, context);
  return {
    q,
    repositories: findRepositories(q, visible),
    workflows: names.workflows,
    people: mayFindPeople ? names.people : [],
    withheld,
  };
}

function findRepositories(q: string, visible: readonly Repository[]): Answer['repositories'] {
  const text = q.toLowerCase();
  const begins = ({ owner, repo }: Repository) =>
    [repo, `${owner}/${repo}`].some((name) => name.toLowerCase().startsWith(text));
  return visible
    .filter(({ owner, repo }) => `${owner}/${repo}`.toLowerCase().includes(text))
    .sort(
      (a, b) =>
        Number(begins(b)) - Number(begins(a)) ||
        Number(a.archived) - Number(b.archived) ||
        a.repo.localeCompare(b.repo, 'en'),
    )
    .slice(0, maxFound)
    .map(({ owner, repo, archived }) => ({ repo: `${owner}/${repo}`, archived }));
}

/** Without a database nothing but repositories is known by name. */
async function findStored(text: string, visible: readonly Repository[], { services }: Context): Promise<FoundNames> {
  const { store, clock } = services;
  if (!store) return { workflows: [], people: [] };
  const seen = new Map(visible.map((one) => [one.id, one]));
  const known = (await store.repositories.tracked()).filter(({ codehostId }) => seen.has(codehostId));
  const nameOf = new Map(known.map(({ id, owner, repo }) => [id, `${owner}/${repo}`]));
  const wanted = { repoIds: [...nameOf.keys()], text, limit: maxFound };
  const [workflows, people] = await Promise.all([
    store.names.workflows(wanted),
    store.names.authors({
      repoIds: wanted.repoIds,
      text,
      limit: maxFound,
      since: clock.now() - authorDays * 86_400_000,
    }),
  ]);
  return {
    workflows: workflows.map(({ repoId, workflowId, workflow }) => ({
      repo: nameOf.get(repoId) ?? '',
      workflowId,
      workflow,
    })),
    people,
  };
}
