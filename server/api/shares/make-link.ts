import type { z } from 'zod';
import { type Context, changedBy } from '../../access/context.ts';
import { decide } from '../../access/decision.ts';
import { createTokenText, linkPrefix, tokenIdHash } from '../../access/token-text.ts';
import { dayMs } from '../../metrics/kernel/window.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import { teamCalendar } from '../../reports/kernel/calendar.ts';
import { hashPassPhrase } from '../../sharing/pass-phrase.ts';
import { type FoundPage, findShareable } from '../../sharing/shareable-pages.ts';
import type { Snapshot } from '../../sharing/snapshot.ts';
import type { Operation } from '../operation.ts';
import { toAnswer } from '../wire.ts';
import { shareRecord } from './fields.ts';

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
  const found = findShareable(page);
  if (!found) throw rejected('page', 'cannot be shared');
  if (days > maxDays) throw rejected('expires_in_days', `must be at most ${maxDays} for a link`);
  const { store, services } = context;
  const [now, text, actor] = [services.clock.now(), createTokenText(linkPrefix), await context.actor()];
  const snapshot: Snapshot = {
    takenAt: now,
    zone: (await teamCalendar(context)).timezone,
    answers: await readParts(found, context),
  };
  if (Buffer.byteLength(JSON.stringify(snapshot)) > maxBytes) throw rejected('page', 'has more than 512 KiB to share');
  const share = {
    tokenHash: tokenIdHash(text),
    kind: 'link' as const,
    accountId: actor.id,
    login: actor.login,
    page,
    params: null,
    snapshot,
    passHash: pass_phrase === undefined ? null : await hashPassPhrase(pass_phrase),
    createdAt: now,
    expiresAt: now + days * dayMs,
  };
  const id = await store.shares.create(share, maxLinks, await changedBy(context));
  if (id === null) throw new Problem('share_limit', `You have ${maxLinks} links. Revoke one before you make another.`);
  const record = shareRecord({ ...share, id, revokedAt: null, opensByDay: {} }, now);
  return { token: text, url: `${services.env.APP_URL}/s/${text}`, share: record };
}

/** What may be shared of each answer; the maker must have access to all of them. */
async function readParts({ parts, input }: FoundPage, context: Context): Promise<Snapshot['answers']> {
  const answers = await Promise.all(
    Object.entries(parts).map(async ([name, { operation, holds }]) => {
      const answer = await run(operation, input, withAddress(context, operation, input));
      return [name, toAnswer(holds, answer)] as const;
    }),
  );
  return Object.fromEntries(answers);
}

async function run<In extends z.ZodObject>(operation: Operation<In>, input: object, context: Context) {
  await decide(operation.access, context);
  const given = operation.input.safeParse(input);
  if (!given.success) throw rejected('page', 'has choices that are not valid');
  const reply = { status: 200, headers: new Headers() };
  const answer = await operation.run(given.data, context, reply);
  if (answer instanceof Response) throw new Error(`${operation.path} has no answer to share`);
  return answer;
}

/** As if the operation itself had been requested: what it requires may depend on its query. */
function withAddress(context: Context, { path }: Operation, input: Record<string, string>): Context {
  const url = new URL(`${path}?${new URLSearchParams(input)}`, context.url);
  return Object.create(context, { url: { value: url } });
}

const rejected = (field: string, rule: string) =>
  invalidRequest([{ field, reason: 'invalid', message: `${field} ${rule}` }]);
