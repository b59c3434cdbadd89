import { parseCookie } from 'cookie';
import type { Context } from '../access/context.ts';
import { Problem } from '../platform/problem.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import { formToken } from './form-token.ts';

export type Theme = 'system' | 'light' | 'dark';

/** What every page needs around its content. */
export interface Chrome {
  account: { login: string } | null;
  /** The token that forms carry; empty for a visitor. */
  csrf: string;
  theme: Theme;
  /** The page's own address, to come back to. */
  here: string;
  /** What links of this tour begin with: nothing, or `/demo`. */
  base: '' | '/demo';
  /** The page's clock, epoch milliseconds. */
  now: number;
  /** The zone in which times are told. */
  zone: string;
  hasDatabase: boolean;
  webUrl: string;
}

export async function chrome(context: Context): Promise<Chrome> {
  const { services, url, isDemo } = context;
  const caller = isDemo ? null : await account(context);
  return {
    account: caller,
    csrf: caller ? await formToken(context) : '',
    theme: themeOf(context.headers),
    here: `${url.pathname}${url.search}`,
    base: isDemo ? '/demo' : '',
    now: services.clock.now(),
    zone: (await readSetting(workday, services.store)).value.timezone,
    hasDatabase: services.store !== null,
    webUrl: services.env.CODEHOST_WEB_URL,
  };
}

async function account(context: Context): Promise<Chrome['account']> {
  try {
    const { login } = await context.actor();
    return { login };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'unauthenticated') return null;
    throw new Response(null, {
      status: error.status,
      headers: { 'Retry-After': String(error.details?.retry_after_s ?? 30) },
    });
  }
}

export function themeOf(headers: Headers): Theme {
  const { theme } = parseCookie(headers.get('cookie') ?? '');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
