import { redirect } from 'react-router';
import { logOut } from '../../server/api/session.ts';
import { submit } from '../../server/http/doors.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/sign-out';

export const loader = () => redirect('/setup');

export const action = async ({ context, params, request }: Route.ActionArgs) => {
  const done = await submit(
    { context: context.get(requestContext), params, request },
    { signOut: { operation: logOut, next: '/setup' } },
  );
  if (done instanceof Response) return done;
  throw new Response(null, { status: done.status });
};
