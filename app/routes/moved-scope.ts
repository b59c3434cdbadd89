import { redirect } from 'react-router';
import type { Context } from '../../server/access/context.ts';
import { addSharedParams } from '../components/shared-params.tsx';

/** One repository chosen on a page of several has this page of its own: sends there. */
export function redirectToRepository({ url, isDemo }: Pick<Context, 'url' | 'isDemo'>, page: string): void {
  const repo = url.searchParams.get('repo') ?? '';
  if (!/^[\w-]+\/[\w.-]+$/.test(repo)) return;
  throw redirect(addSharedParams(`${isDemo ? '/demo' : ''}/repos/${repo}/${page}`, url.search));
}
