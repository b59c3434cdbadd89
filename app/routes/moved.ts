import { redirect } from 'react-router';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/moved';

/** Addresses of the contract whose pages stand elsewhere lead there for good. */
export const loader = ({ context }: Route.LoaderArgs) => {
  const { pathname, search } = context.get(requestContext).url;
  return redirect(pathname.replace(/audit\/?$/i, 'changes').replace(/cost-analytics\/?$/i, 'cost') + search, 308);
};
