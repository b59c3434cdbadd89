import { type Context, changedBy } from '../../access/context.ts';
import { createTokenText, linkPrefix, tokenIdHash } from '../../access/token-text.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { visibleRepository } from '../../reports/repositories/visibility.ts';
import { hashPassPhrase } from '../../sharing/pass-phrase.ts';
import { shareRecord } from './fields.ts';
import { type FoundPage, findShareable, pageAddress } from './shareable-pages.ts';
import { takeSnapshot } from './take-snapshot.ts';

const maxLinks = 100;
const maxDays = 90;
const usualDays = 14;
const maxBytes = 512 * 1024;

interface NewLink {
  page: string;
  expires_in_days?: number | undefined;
  pass_phrase?: string | undefined;
}

/** Freezes what a page says now, without people, behind a link that is readable without signing in. */
export async function makeLink({ page, expires_in_days: days = usualDays, pass_phrase }: NewLink, context: Context) {
  const shareable = findShareable(page);
  if (!shareable) throw rejected('page', 'cannot be shared');
  if (days > maxDays) throw rejected('expires_in_days', `must be at most ${maxDays} for a link`);
  const { store, services } = context;
  const [now, text, actor] = [services.clock.now(), createTokenText(linkPrefix), await context.actor()];
  const found = await canonical(shareable, context);
  const snapshot = await takeSnapshot(found, context).catch(namePage);
  if (Buffer.byteLength(JSON.stringify(snapshot)) > maxBytes) throw rejected('page', 'has more than 512 KiB to share');
  const share = {
    tokenHash: tokenIdHash(text),
    kind: 'link' as const,
    accountId: actor.id,
    login: actor.login,
    page: pageAddress(found),
    params: null,
    snapshot,
    format: snapshot.format,
    passHash: pass_phrase === undefined ? null : await hashPassPhrase(pass_phrase),
    createdAt: now,
    expiresAt: now + days * dayMs,
  };
  const id = await store.shares.create(share, maxLinks, await changedBy(context));
  if (id === null) throw new Problem('share_limit', `You have ${maxLinks} links. Revoke one before you make another.`);
  const record = shareRecord({ ...share, id, revokedAt: null, opensByDay: {} }, now);
  return { token: text, url: `${services.env.APP_URL}/s/${text}`, share: record };
}

/** The page with its repository as GitHub writes it. */
async function canonical(found: FoundPage, context: Context): Promise<FoundPage> {
  const { owner, repo } = found.place;
  if (owner === undefined || repo === undefined) return found;
  const known = await visibleRepository({ owner, repo }, context);
  return { ...found, place: { ...found.place, owner: known.owner, repo: known.repo } };
}

/** What is wrong with a parameter of an operation is wrong with the address of the page. */
function namePage(error: unknown): never {
  throw error instanceof Problem && error.code === 'invalid_request'
    ? rejected('page', 'has choices that are not valid')
    : error;
}

const rejected = (field: string, rule: string) =>
  invalidRequest([{ field, reason: 'invalid', message: `${field} ${rule}` }]);
