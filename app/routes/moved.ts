import { redirect } from 'react-router';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/moved';

/** Addresses of the contract whose pages stand elsewhere lead there for good. */
export const loader = ({ context, params }: Route.LoaderArgs) => {
  const { pathname, search } = context.get(requestContext).url;
  const start = /^\/+demo\//i.test(pathname) ? '/demo' : '';
  return redirect(`${start}${getPagePath(params)}${search}`, 308);
};

/** The cost page knows no repository. */
const getPagePath = ({ owner, repo }: { owner?: string; repo?: string }) =>
  owner && repo ? `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/changes` : '/cost';
