import { parseCookie, stringifySetCookie } from 'cookie';
import type { Context } from '../access/context.ts';
import { type FeatureKey, featureKeys, features } from '../access/features.ts';
import { isOwnForm } from './form-token.ts';

const name = 'das_prefs';
const setupName = 'das_setup';

/** The features that the owner of this browser does not want to see. It changes what is drawn, never what is allowed. */
export function hiddenFeatures({ headers, isDemo }: Pick<Context, 'headers' | 'isDemo'>): FeatureKey[] {
  if (isDemo) return [];
  const stored = (parseCookie(headers.get('cookie') ?? '')[name] ?? '').split('.');
  return featureKeys.filter((key) => stored.includes(key));
}

/** The cookie that hides these features in this browser, and no others. */
const hidingCookie = (context: Context, hidden: readonly FeatureKey[]): string =>
  preferenceCookie(context, name, hidden.join('.'));

/** The cookie that keeps a choice in this browser for a year; an empty one is removed. */
const preferenceCookie = ({ services: { env } }: Context, cookie: string, value: string): string =>
  stringifySetCookie({
    name: cookie,
    value,
    path: '/',
    sameSite: 'lax',
    httpOnly: true,
    secure: env.APP_URL.startsWith('https:'),
    maxAge: value === '' ? 0 : 31_536_000,
  });

export interface HidingChoice {
  key: FeatureKey;
  label: string;
  description: string;
  isHidden: boolean;
}

/** What the caller may see, and of that what they hide. */
export async function hidingChoices(context: Context): Promise<HidingChoice[]> {
  const { features: open } = await context.actor();
  const hidden = hiddenFeatures(context);
  return featureKeys
    .filter((key) => open.includes(key))
    .map((key) => ({
      key,
      label: features[key].label,
      description: features[key].description,
      isHidden: hidden.includes(key),
    }));
}

/** The cookie that keeps what a form left unticked; null for a form of another session. */
export async function readDismissal(context: Context, form: FormData): Promise<string | null> {
  if (!(await isOwnForm(context, form))) return null;
  const shown = form.getAll('shown');
  const { features: open } = await context.actor();
  return hidingCookie(
    context,
    open.filter((key) => !shown.includes(key)),
  );
}

/** Whether the caller dismissed the setup checklist in this browser; another account has not. */
export const isSetupDismissed = async (context: Context): Promise<boolean> =>
  parseCookie(context.headers.get('cookie') ?? '')[setupName] === String((await context.actor()).id);

/** The cookie that keeps the checklist away from this account; null for a form of another session. */
export async function readSetupDismissal(context: Context, form: FormData): Promise<string | null> {
  if (!(await isOwnForm(context, form))) return null;
  return preferenceCookie(context, setupName, String((await context.actor()).id));
}
