import { pages } from '../e2e/known-pages.ts';
import { type Site, startSiteProcess } from '../support/site.ts';
import { addBusyRepository } from './busy-repository.ts';
import { finished } from './finished.ts';
import { requestId } from './masks.ts';
import { forbiddenPages, formsOfPages, otherPages, pagesOfAdministrators } from './page-addresses.ts';
import type { Recorder } from './recorder.ts';

/** Lets the time of day stand still in the process of the built service too. */
const fixedDate = `--import ${new URL('fixed-date.mjs', import.meta.url).href}`;
const settings = { NODE_OPTIONS: fixedDate, RATE_LIMIT_SESSION_PER_MINUTE: '0' };

interface Visit {
  /** The session of a token; nobody's where it is not said. */
  as?: string;
  form?: Record<string, string>;
}

type Visitor = (path: string, visit?: Visit) => Promise<string>;

/** Every page of the built service, whole and as the data that scripts ask for. */
export async function recordPages(recorder: Recorder): Promise<void> {
  await onSite({}, recorder, visitStandalone);
  await onSite({ MODE: 'organization' }, recorder, visitOrganization);
}

async function onSite(
  env: Record<string, string>,
  recorder: Recorder,
  visitAll: (visit: Visitor, recorder: Recorder, site: Site) => Promise<void>,
): Promise<void> {
  const site = await startSiteProcess({ ...settings, ...env });
  try {
    addBusyRepository(site.double.world);
    await visitAll(visitorOf(site, recorder), recorder, site);
  } finally {
    await site.stop();
  }
}

function visitorOf(site: Site, recorder: Recorder): Visitor {
  return async (path, { as, form } = {}) => {
    const cookie = as === undefined ? undefined : await site.signIn(as);
    const csrf = form && cookie ? await csrfOf(site, cookie) : undefined;
    const sent = form && { ...form, ...(csrf !== undefined && { csrf }) };
    const headers = { 'x-request-id': requestId, 'x-forwarded-for': '10.2.0.1', ...(cookie && { cookie }) };
    const answer = await finished(path, () => site.visit(path, { headers, ...(sent && { form: sent }) }));
    const who = as === undefined ? '' : ` as ${as.replace(/^token-/, '')}`;
    recorder.add(`${form ? 'POST' : 'GET'} ${path}${who}${form ? ` ${JSON.stringify(form)}` : ''}`, answer);
    // What follows is recorded of what was read to its end.
    if (form?.intent === 'sync' && answer.location)
      await finished(answer.location, () => site.visit(answer.location.replace(/#.*/, ''), { headers }));
    return answer.text;
  };
}

/** The token that forms of a session carry. */
async function csrfOf(site: Site, cookie: string): Promise<string> {
  const { text } = await site.visit('/settings', { cookie });
  return /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
}

/** The address under which scripts ask for the data of a page. */
function dataOf(path: string): string {
  const [pathname = '', query] = path.split('?');
  return `${pathname === '/' ? '/_root' : pathname}.data${query === undefined ? '' : `?${query}`}`;
}

async function visitStandalone(visit: Visitor, recorder: Recorder): Promise<void> {
  recorder.chapter('pages');
  const known = pages.map(({ path }) => path);
  for (const path of known) {
    await visit(path);
    if (/^\/(demo|docs|setup)/.test(path)) continue;
    await visit(path, { as: 'token-ann' });
    await visit(dataOf(path), { as: 'token-ann' });
  }
  for (const path of otherPages) await visit(path, { as: 'token-ann' });
  for (const path of forbiddenPages) await visit(path, { as: 'token-bo' });
  for (const path of ['/demo', '/demo/cost', '/demo/repos/lumen-harbor/beacon-api', '/repos/octo/web'])
    await visit(dataOf(path));
  for (const { path, form } of formsOfPages) await visit(path, { as: 'token-ann', form });
  await visit('/settings/team', { form: { timezone: 'UTC' } });
  recorder.chapter('pages of what is stored');
  // As pages alone: how long the synchronization took cannot be masked in their data.
  for (const path of syncedPages) await visit(path, { as: 'token-ann' });
  for (const path of storedPages) {
    await visit(path, { as: 'token-ann' });
    await visit(dataOf(path), { as: 'token-ann' });
  }
}

const syncedPages = ['/reports?repo=octo%2Ftide', '/reports?repo=octo%2Fweb'];

const storedPages = [
  '/reports?org=octo',
  '/alerts',
  '/',
  '/team?org=octo',
  '/working-habits?org=octo&range=90',
  '/working-habits?repo=octo/tide',
  '/settings/jobs',
  '/settings/advisor',
  '/settings/sharing',
  '/settings/shares',
  '/settings/telemetry',
  '/settings/webhooks',
  '/settings/session',
  '/settings/tokens',
];

async function visitOrganization(visit: Visitor, recorder: Recorder, site: Site): Promise<void> {
  recorder.chapter('pages of an organization');
  await site.signIn('token-ann');
  for (const path of pagesOfAdministrators) {
    await visit(path);
    await visit(path, { as: 'token-ann' });
  }
  const own = pages.filter(({ path }) => !/^\/(demo|docs)/.test(path)).map(({ path }) => path);
  for (const groups of [[], ['dev'], ['security', 'pm']]) {
    await putBoInto(site, groups);
    recorder.chapter(`pages of an organization, in ${groups.join(' and ') || 'no group'}`);
    for (const path of [...own, ...pagesOfAdministrators]) await visit(path, { as: 'token-bo' });
  }
}

async function putBoInto(site: Site, groups: string[]): Promise<void> {
  await site.signIn('token-bo');
  const headers = { cookie: await site.signIn('token-ann'), origin: site.url, 'content-type': 'application/json' };
  const body = JSON.stringify({ groups });
  const { status } = await fetch(`${site.url}/api/admin/users/102/groups`, { method: 'PUT', headers, body });
  if (status !== 200) throw new Error(`bo was not put into groups: ${status}`);
}
