import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { repositoryParams } from '../client/names.ts';
import type { Reading } from '../client/reader.ts';

/** Through which app a pull request was opened: the platform tells it of issues alone, and a pull request is one. */
export const openingApp = (name: RepositoryName, number: number): Reading<string | null> => ({
  operation: 'app that opened a pull request',
  route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
  params: { ...repositoryParams(name), issue_number: number },
  repository: name,
  read: (data) => schema.parse(data).performed_via_github_app?.slug ?? null,
  freshMs: () => dayMs,
  staleIfError: false,
});

const dayMs = 86_400_000;
const schema = z.object({ performed_via_github_app: z.object({ slug: z.string().nullish() }).nullish() });
