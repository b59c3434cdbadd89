import { stringifySetCookie } from 'cookie';
import { redirect } from 'react-router';
import { returnTo } from '../../server/http/redirect.ts';
import { requestContext } from '../../server/http/router-context.ts';
import type { Route } from './+types/theme';

const themes = new Set(['light', 'dark', 'system']);

/** Keeps the chosen colours in a cookie and goes back to where they were chosen. */
export const action = async ({ context, request }: Route.ActionArgs) => {
  const { env } = context.get(requestContext).services;
  const form = await request.formData();
  const value = String(form.get('theme'));
  if (!themes.has(value)) throw new Response(null, { status: 400 });
  const cookie = stringifySetCookie({
    name: 'theme',
    value,
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    secure: env.APP_URL.startsWith('https:'),
    maxAge: value === 'system' ? 0 : 31_536_000,
  });
  return redirect(returnTo(form), { status: 303, headers: { 'Set-Cookie': cookie } });
};

export const handle = { methods: ['POST'] };

/** Only an error is ever drawn here; without a component it would be a bare text. */
export default function Theme() {
  return null;
}
