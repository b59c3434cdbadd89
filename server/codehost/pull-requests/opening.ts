import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { repositoryParams } from '../client/names.ts';
import type { Reading } from '../client/reader.ts';
import { instant } from '../client/wire.ts';
import type { Opening } from '../delivery/client.ts';
import type { DeliveryContext } from '../delivery/context.ts';

/** When and through which app a pull request was opened; null where the platform does not know it any more. */
export async function readOpening(
  { reader }: DeliveryContext,
  name: RepositoryName,
  number: number,
): Promise<Opening | null> {
  try {
    return (await reader.read(opening(name, number))).value;
  } catch (error) {
    if (error instanceof Problem && (error.code === 'not_found' || error.code === 'gone')) return null;
    throw error;
  }
}

/** The platform tells the app of issues alone, and a pull request is one. */
const opening = (name: RepositoryName, number: number): Reading<Opening> => ({
  operation: 'app that opened a pull request',
  route: 'GET /repos/{owner}/{repo}/issues/{issue_number}',
  params: { ...repositoryParams(name), issue_number: number },
  repository: name,
  read: (data) => schema.parse(data),
  freshMs: () => dayMs,
  staleIfError: false,
});

const dayMs = 86_400_000;
const schema = z
  .object({
    created_at: instant,
    performed_via_github_app: z.object({ slug: z.string().nullish() }).nullish(),
  })
  .transform((issue) => ({ createdAt: issue.created_at, app: issue.performed_via_github_app?.slug ?? null }));
