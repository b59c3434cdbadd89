import { redirect } from 'react-router';
import { logOut } from '../../server/api/session/session.ts';
import { submit } from '../../server/http/adapters.ts';
import { signInPath } from '../../server/http/redirect.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/sign-out';

export const loader = ({ context }: Route.LoaderArgs) => redirect(signInPath(context.get(requestContext)));

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const appContext = context.get(requestContext);
  const done = await submit(
    { context: appContext, params, request },
    { signOut: { operation: logOut, next: signInPath(appContext) } },
  );
  if (done instanceof Response) return done;
  throw new Response(null, { status: done.status });
};

/** Only an error is ever drawn here; without a component it would be an empty answer. */
export default function SignOut() {
  return null;
}
