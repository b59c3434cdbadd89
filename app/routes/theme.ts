import { stringifySetCookie } from 'cookie';
import { redirect } from 'react-router';
import { returnTo } from '../../server/http/return-to.ts';
import type { Route } from './+types/theme';

/** Keeps the chosen colours in a cookie and goes back to where they were chosen. */
export const action = async ({ request }: Route.ActionArgs) => {
  const form = await request.formData();
  const value = String(form.get('theme'));
  const cookie = stringifySetCookie({
    name: 'theme',
    value,
    path: '/',
    sameSite: 'lax',
    maxAge: value === 'light' || value === 'dark' ? 31_536_000 : 0,
  });
  return redirect(returnTo(form), { status: 303, headers: { 'Set-Cookie': cookie } });
};
