import { parseCookie, stringifySetCookie } from 'cookie';
import type { Context } from '../access/context.ts';
import { signInPath } from './redirect.ts';

const name = 'das_recent';
const maxRecent = 5;
const repositoryName = /^[\w.-]{1,100}\/[\w.-]{1,100}$/;
const repositoryPage = /^\/repos\/([^/]+)\/([^/]+)/;

/** The repositories that were opened in this browser, the last one first. */
export function recentRepositories({ headers, isDemo }: Pick<Context, 'headers' | 'isDemo'>): string[] {
  if (isDemo) return [];
  const stored = parseCookie(headers.get('cookie') ?? '')[name] ?? '';
  return stored
    .split('|')
    .filter((one) => repositoryName.test(one))
    .slice(0, maxRecent);
}

/**
 * The cookie that notes the repository of this page as the last one opened; null where there is nothing to note. Where
 * people sign in it is emptied: the next one may be somebody else.
 */
export function recentCookie(context: Context): string | null {
  if (context.url.pathname === signInPath(context) && recentRepositories(context).length > 0) return write([], context);
  const [, owner, repo] = repositoryPage.exec(context.url.pathname) ?? [];
  const opened = `${owner}/${repo}`;
  const before = recentRepositories(context);
  if (context.isDemo || !owner || !repositoryName.test(opened) || before[0] === opened) return null;
  return write([opened, ...before.filter((one) => one !== opened)].slice(0, maxRecent), context);
}

const write = (repositories: readonly string[], { services: { env } }: Context): string =>
  stringifySetCookie({
    name,
    value: repositories.join('|'),
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    secure: env.APP_URL.startsWith('https:'),
    maxAge: repositories.length > 0 ? 31_536_000 : 0,
  });
