import { parseCookie, stringifySetCookie } from 'cookie';
import { z } from 'zod';
import type { Context, Reply } from '../../access/context.ts';
import type { View, ViewChange } from '../../store/saved-views.ts';
import { isViewAddress, viewName } from './fields.ts';

/** The views of the caller, wherever they are stored. */
export interface StoredViews {
  /** How many there can be. */
  max: number;
  list(): Promise<View[]>;
  save(view: Omit<View, 'id'>): Promise<ViewChange>;
  rename(view: Omit<View, 'address'>): Promise<ViewChange>;
  remove(id: number): Promise<ViewChange>;
}

/** In the database; without one in a cookie of this browser, which `reply` sets. */
export async function viewsOf(context: Context, reply: Pick<Reply, 'headers'>): Promise<StoredViews> {
  const { store } = context.services;
  return store ? inDatabase(store.savedViews, context) : inCookie(context, reply);
}

const maxStored = 50;

async function inDatabase(savedViews: Context['store']['savedViews'], context: Context): Promise<StoredViews> {
  const { id: owner } = await context.actor();
  const { clock } = context.services;
  return {
    max: maxStored,
    list: () => savedViews.list(owner),
    save: (view) => savedViews.save(owner, view, { max: maxStored, now: clock.now() }),
    rename: (view) => savedViews.rename(owner, view),
    remove: (id) => savedViews.remove(owner, id),
  };
}

const cookieName = 'das_views';
const maxInCookie = 10;
/** Browsers take cookies of 4 KB. */
const maxBytes = 3500;

/** Another person at the same browser sees none of them. */
const Stored = z.object({
  owner: z.int(),
  views: z.array(z.object({ id: z.int(), name: viewName, address: z.string().refine(isViewAddress) })),
});

async function inCookie(context: Context, reply: Pick<Reply, 'headers'>): Promise<StoredViews> {
  const { env } = context.services;
  const { id: owner } = await context.actor();
  const views = readViews(context.headers, owner);
  const keep = (changed: readonly View[]): ViewChange => {
    const value = Buffer.from(JSON.stringify({ owner, views: changed })).toString('base64url');
    if (value.length > maxBytes) return 'full';
    const secure = env.APP_URL.startsWith('https:');
    const lasting = { path: '/', sameSite: 'lax' as const, httpOnly: true, secure, maxAge: 31_536_000 };
    reply.headers.append('Set-Cookie', stringifySetCookie({ name: cookieName, value, ...lasting }));
    return 'done';
  };
  const hasName = (name: string, besides?: number) => views.some((one) => one.name === name && one.id !== besides);
  return {
    max: maxInCookie,
    list: async () => views,
    save: async (view) => {
      if (hasName(view.name)) return 'same_name';
      if (views.length >= maxInCookie) return 'full';
      return keep([...views, { ...view, id: Math.max(0, ...views.map(({ id }) => id)) + 1 }]);
    },
    rename: async ({ id, name }) => {
      if (!views.some((one) => one.id === id)) return 'unknown';
      if (hasName(name, id)) return 'same_name';
      return keep(views.map((one) => (one.id === id ? { ...one, name } : one)));
    },
    remove: async (id) => (views.some((one) => one.id === id) ? keep(views.filter((one) => one.id !== id)) : 'unknown'),
  };
}

/** What somebody wrote into the cookie by hand counts as nothing. */
function readViews(headers: Headers, owner: number): View[] {
  const text = Buffer.from(parseCookie(headers.get('cookie') ?? '')[cookieName] ?? '', 'base64url').toString();
  try {
    const read = Stored.safeParse(JSON.parse(text));
    return read.data?.owner === owner ? read.data.views.toSorted((a, b) => a.name.localeCompare(b.name, 'en')) : [];
  } catch {
    return [];
  }
}
