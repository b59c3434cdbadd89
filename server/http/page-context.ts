import { parseCookie } from 'cookie';
import type { Actor, Context } from '../access/context.ts';
import type { FeatureKey } from '../access/features.ts';
import { getConfirmedActor } from '../access/still-taken.ts';
import { type Sharing, sharingFor } from '../api/shares/allowed.ts';
import { findShareable } from '../api/shares/shareable-pages.ts';
import { overdueJobs } from '../api/sync/jobs.ts';
import { tokenState } from '../api/tokens/fields.ts';
import { viewsOf } from '../api/views/stored-views.ts';
import { organization } from '../demo/catalogue.ts';
import type { Env } from '../platform/env.ts';
import { nameService } from '../platform/example-address.ts';
import { hostName, nameHost } from '../platform/host-name.ts';
import { Problem } from '../platform/problem.ts';
import { readSetting } from '../settings/setting.ts';
import { workday } from '../settings/workday.ts';
import { countAlerts } from './alert-status.ts';
import { formToken } from './form-token.ts';
import { offeredFeatures, offeredPages, type PagePath } from './page-access.ts';
import { findSyncScope, loadSync, type PageSync } from './page-sync.ts';
import { hiddenFeatures } from './preferences.ts';
import { recentRepositories } from './recent.ts';
import { signInPath } from './redirect.ts';
import { listSituations } from './situation.ts';

export type Theme = 'system' | 'light' | 'dark';

/** What every page needs around its content. */
export interface PageContext {
  account: { login: string } | null;
  mode: Env['MODE'];
  requestId: string;
  signInHref: '/setup' | '/login';
  /** The pages that links may lead to; of those of the demo, the ones they are tours of. */
  pages: PagePath[];
  /** The features that are open to the caller, and those of them that this browser's owner hides. */
  features: FeatureKey[];
  hidden: FeatureKey[];
  /** The token that forms carry; empty for a visitor. */
  csrf: string;
  theme: Theme;
  /** The page's own address, to come back to. */
  here: string;
  /** What links of this tour begin with: nothing, or `/demo`. */
  base: '' | '/demo';
  /** The page's clock, epoch milliseconds. */
  now: number;
  /** The zone in which times are shown. */
  zone: string;
  hasDatabase: boolean;
  /**
   * Background work that is missing, by its titles; reported to administrators on the pages where they look after
   * things.
   */
  overdueJobs: string[];
  /** Destinations of traces whose receiver rejected a request, by name; reported like missing background work. */
  refusedDestinations: string[];
  /** Webhook endpoints that the service switched off, by name; reported likewise. */
  stoppedWebhooks: string[];
  /**
   * Where something is watched: how many alerts are open, reported with the page to administrators. null for the others,
   * about whose repositories the platform would have to be called with every page, and where it is not known.
   */
  bell: { open: number | null } | null;
  webUrl: string;
  /** The host of the platform, as people call it. */
  hostName: string;
  /** How fresh the stored runs of the page's scope are; null without any. */
  sync: PageSync | null;
  /** What the sample organization can go through; empty outside of the demo. */
  situations: { value: string; label: string; current: boolean }[];
  /** Access tokens of the caller that end within a week, by name; known on the pages of settings. */
  expiringTokens: string[];
  /** What the reader may share of this page; null where nothing is stored, and in the demo. */
  sharing: (Sharing & { appUrl: string; isPageShareable: boolean }) | null;
  /** Addresses that the reader named, by name. */
  views: { name: string; address: string }[];
  /** Repositories that were opened in this browser, the last one first. */
  recent: string[];
  /** Organizations that every reader of the service belongs to, known without a request: the sample one in the demo. */
  organizations: string[];
}

export async function loadPageContext(context: Context): Promise<PageContext> {
  const { services, url, isDemo } = context;
  const caller = await known(context);
  const account = isDemo ? null : caller;
  const syncScope = account && services.store ? await findSyncScope(context) : null;
  const pages = offeredPages(context, caller);
  return {
    account: account && { login: account.login },
    mode: services.env.MODE,
    requestId: context.requestId,
    signInHref: signInPath(context),
    pages,
    features: offeredFeatures(context, caller),
    hidden: hiddenFeatures(context),
    csrf: account ? await formToken(context) : '',
    theme: readTheme(context.headers),
    here: `${url.pathname}${url.search}`,
    base: isDemo ? '/demo' : '',
    now: services.clock.now(),
    zone: (await readSetting(workday, services.store)).value.timezone,
    hasDatabase: services.store !== null,
    overdueJobs: account && pages.includes('settings/jobs') ? await overdueOn(context) : [],
    refusedDestinations: account && pages.includes('settings/telemetry') ? await refusedOn(context) : [],
    stoppedWebhooks: account && pages.includes('settings/webhooks') ? await stoppedOn(context) : [],
    bell: account && pages.includes('alerts') ? await loadBell(services, pages) : null,
    webUrl: services.env.CODEHOST_WEB_URL,
    hostName: hostName(services.env),
    sync: syncScope ? await loadSync(context, syncScope) : null,
    situations: isDemo ? listSituations(url) : [],
    expiringTokens: account ? await findExpiring(context, account.id) : [],
    sharing: account && services.store ? await loadSharing(context, account) : null,
    views: account && pages.includes('views') ? await listViews(context) : [],
    recent: recentRepositories(context),
    organizations: account || isDemo ? listOrganizations(context) : [],
  };
}

/** Where members of several may sign in, nobody is known to belong to one of them. */
function listOrganizations({ services: { env }, isDemo }: Context): string[] {
  if (isDemo) return [organization.login];
  const { MODE, SERVICE_ALLOWED_ORGS: allowed } = env;
  return MODE === 'organization' && allowed.length === 1 ? allowed : [];
}

/** Puts the name of the host in place of GitHub's in a text of this service. */
export const nameHostOf =
  ({ services }: Context) =>
  (text: string): string =>
    nameHost(text, services.env);

/** What the documentation says of this service: the name of its host in texts, its own address in examples. */
export const namesOf = (context: Context) => ({
  nameHost: nameHostOf(context),
  nameService: (example: string): string => nameService(example, context.services.env),
});

async function loadSharing(context: Context, { isAdmin }: Actor): Promise<PageContext['sharing']> {
  // A page is shown without its badges where the database is away.
  const sharing = await sharingFor(context, isAdmin).catch(() => null);
  const isPageShareable = findShareable(`${context.url.pathname}${context.url.search}`) !== null;
  return sharing && { ...sharing, appUrl: context.services.env.APP_URL, isPageShareable };
}

async function listViews(context: Context): Promise<PageContext['views']> {
  const { list } = await viewsOf(context, { headers: new Headers() });
  return (await list()).map(({ name, address }) => ({ name, address }));
}

async function loadBell(services: Context['services'], pages: readonly PagePath[]): Promise<PageContext['bell']> {
  const alerts = await countAlerts(services);
  if (alerts?.open === 0 && alerts.rules === 0) return null;
  return alerts && { open: pages.includes('settings/email') ? alerts.open : null };
}

async function findExpiring({ url, services }: Context, accountId: number): Promise<string[]> {
  if (!/^\/settings(\/|$)/.test(url.pathname)) return [];
  const now = services.clock.now();
  const tokens = (await services.store?.accessTokens.ofAccount(accountId, now)) ?? [];
  return tokens.filter((token) => tokenState(token, now) === 'expiring').map(({ name }) => name);
}

const isOverseen = ({ pathname }: URL) => /^\/($|settings(\/|$)|admin\/)/.test(pathname);

async function refusedOn({ url, services }: Context): Promise<string[]> {
  return isOverseen(url) ? ((await services.store?.otlpDestinations.refusedNames()) ?? []) : [];
}

async function stoppedOn({ url, services }: Context): Promise<string[]> {
  return isOverseen(url) ? ((await services.store?.webhookEndpoints.stoppedNames()) ?? []) : [];
}

async function overdueOn({ url, services }: Context): Promise<string[]> {
  if (!isOverseen(url)) return [];
  return (await overdueJobs(services)).map(({ title }) => title);
}

/**
 * The caller, as far as it is known: what is open to everybody is rendered without, whatever the error. The frame shows
 * stored data, so a revoked token is nobody's here too.
 */
async function known(context: Context): Promise<Actor | null> {
  try {
    return await (context.isDemo ? context.actor() : getConfirmedActor(context));
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

export function readTheme(headers: Headers): Theme {
  const { theme } = parseCookie(headers.get('cookie') ?? '');
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}
