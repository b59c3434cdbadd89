import { hash, randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { type SealedBox, sealedBox } from '../platform/sealed.ts';
import type { Store } from '../store/orm.ts';
import type { SessionAudit } from '../store/sessions.ts';
import type { Context } from './context.ts';

const content = z.object({
  version: z.literal(1),
  mode: z.enum(['standalone', 'organization']),
  id: z.string(),
  token: z.string(),
  user: z.object({ id: z.number(), login: z.string(), name: z.string().nullable(), avatarUrl: z.string() }),
  issuedAt: z.number(),
  expiresAt: z.number(),
});

/** What the session cookie holds, sealed. Instants are epoch milliseconds. */
export type Session = z.output<typeof content>;

export interface Opened {
  session: Session;
  /** true when the cookie should be sealed again with the newest secret. */
  outdated: boolean;
}

export interface Sessions {
  /** Whether the request carries the cookie at all, usable or not. */
  present(headers: Headers): boolean;
  /** What the cookie of a request holds; null when there is none, or it is expired or not ours. Sends no request. */
  unseal(headers: Headers): Opened | null;
  /** The live session of a request; null when there is none, or it is expired, revoked or not ours. */
  open(headers: Headers): Promise<Opened | null>;
  /** Begins a session and answers the cookie that carries it. */
  begin(user: Session['user'], token: string, userAgent: string): Promise<string>;
  /**
   * Ends a session for good: a copied cookie is worthless afterwards. Answers whether it lived. With `audit` the audit
   * log gets an entry with it, or it does not end.
   */
  end(session: Session, reason: string, audit?: SessionAudit): Promise<boolean>;
  /**
   * Ends every session that carries a token, which is known by its hash, in all processes; in an organization the audit
   * log has that it ended by this request.
   */
  endByToken(tokenHash: Buffer, reason: string, requestId: string | null): Promise<void>;
  /** Notes that sessions were ended in the database, so that no record read before is trusted. */
  forget(): void;
  cookie(session: Session): string;
  /** The cookie that removes the cookie. */
  readonly cleared: string;
}

interface Options {
  /** A cookie of the other mode is not ours. */
  mode: Session['mode'];
  secrets: readonly string[];
  ttlMs: number;
  secure: boolean;
  clock: Clock;
  store: Store | null;
}

/** How long a process trusts what it last read of a session's record, where no notice reports a change. */
const recordTtlMs = 5000;

export function createSessions(options: Options): Sessions {
  const { clock, mode, ttlMs } = options;
  const box = sealedBox(options.secrets, 'session/v1');
  const name = options.secure ? '__Host-das_session' : 'das_session';
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: options.secure } as const;
  const opened = new LRUCache<string, Opened>({ maxSize: 5000, sizeCalculation, ttl: 300_000, ...timedBy(clock) });
  const records = liveness(options);
  const value = (headers: Headers) => parseCookie(headers.get('cookie') ?? '')[name];
  const openCookie = (headers: Headers) => {
    const sealed = value(headers);
    if (!sealed) return null;
    const found = opened.get(sealed) ?? unseal(box, sealed);
    if (!found || found.session.mode !== mode || found.session.expiresAt <= clock.now()) return null;
    opened.set(sealed, found);
    return found;
  };
  const cookie = (session: Session) =>
    stringifySetCookie({
      ...attributes,
      name,
      value: box.seal(JSON.stringify(session)),
      maxAge: Math.max(0, Math.round((session.expiresAt - clock.now()) / 1000)),
    });
  return {
    present: (headers) => value(headers) !== undefined,
    unseal: openCookie,
    async open(headers) {
      const found = openCookie(headers);
      return found && (await records.isLive(found.session)) ? found : null;
    },
    async begin(user, token, userAgent) {
      const now = clock.now();
      const id = randomBytes(32).toString('base64url');
      const session: Session = { version: 1, mode, id, token, user, issuedAt: now, expiresAt: now + ttlMs };
      await records.create(session, userAgent);
      return cookie(session);
    },
    end: records.revoke,
    endByToken: records.endByToken,
    forget: records.forget,
    cookie,
    cleared: stringifySetCookie({ ...attributes, name, value: '', maxAge: 0 }),
  };
}

function unseal(box: SealedBox, sealed: string): Opened | null {
  const plain = box.open(sealed);
  if (!plain) return null;
  const parsed = content.safeParse(JSON.parse(plain.text));
  return parsed.success ? { session: parsed.data, outdated: plain.outdated } : null;
}

export const sessionHash = (id: string): Buffer => hash('sha256', id, 'buffer');

/** By what sessions with the same token of the platform are known, without keeping it. */
export const tokenHash = (token: string): Buffer => hash('sha256', token, 'buffer');

const toCacheKey = (hash: Buffer) => hash.toString('base64url');

/** Lets entries expire by the clock of the service, without reading it ahead. */
const timedBy = (clock: Clock) => ({ perf: clock, ttlResolution: 0 });

/** Counts entries. By `max` alone a cache would take the space of all its entries when it is made. */
const sizeCalculation = () => 1;

/** Whether a session is active by its record; without a database only revocations are remembered. */
function liveness({ store, clock, ttlMs, mode }: Options) {
  const revoked = new LRUCache<string, true>({ maxSize: 100_000, sizeCalculation, ttl: ttlMs, ...timedBy(clock) });
  const rejectedTokens = new LRUCache<string, true>({
    maxSize: 100_000,
    sizeCalculation,
    ttl: ttlMs,
    ...timedBy(clock),
  });
  const live = new LRUCache<string, true>({ maxSize: 20_000, sizeCalculation, ttl: recordTtlMs, ...timedBy(clock) });
  // A record may be read just before its session is ended, and reported only afterwards.
  let forgotten = 0;
  const forget = () => {
    forgotten++;
    live.clear();
  };
  store?.notices?.on('sessions', forget);
  return {
    async isLive({ id, token }: Session): Promise<boolean> {
      if (revoked.has(id)) return false;
      if (!store) return !rejectedTokens.has(toCacheKey(tokenHash(token)));
      if (live.has(id)) return true;
      const before = forgotten;
      if ((await store.sessions.find(sessionHash(id), clock.now())) === null) return false;
      if (forgotten === before) live.set(id, true);
      return true;
    },
    async create({ id, user, token, issuedAt, expiresAt }: Session, userAgent: string) {
      // The platform has just accepted it.
      rejectedTokens.delete(toCacheKey(tokenHash(token)));
      await store?.sessions.create({
        idHash: sessionHash(id),
        tokenHash: tokenHash(token),
        userId: user.id,
        login: user.login,
        createdAt: issuedAt,
        expiresAt,
        userAgentShort: userAgent.slice(0, 120),
      });
    },
    forget,
    async endByToken(hash: Buffer, reason: string, requestId: string | null): Promise<void> {
      const rejection = { requestId, isAudited: mode === 'organization', now: clock.now() };
      if (store) await store.sessions.rejectToken(hash, reason, rejection).finally(forget);
      else rejectedTokens.set(toCacheKey(hash), true);
    },
    async revoke({ id }: Session, reason: string, audit?: SessionAudit) {
      const lived = !revoked.has(id);
      revoked.set(id, true);
      live.delete(id);
      if (!store) return lived;
      try {
        return await store.sessions.revoke(sessionHash(id), reason, clock.now(), audit);
      } catch (error) {
        // Whoever tries to use it again ends it again, here too.
        if (audit) revoked.delete(id);
        throw error;
      }
    },
  };
}

/** By the headers of a request, which stay the same however its context is passed on. */
const outdated = new WeakSet<Headers>();

/** Remembers that the caller of this request was known by a cookie of an earlier secret. */
export function noteOutdated({ headers }: Pick<Context, 'headers'>, opened: Opened): void {
  if (opened.outdated) outdated.add(headers);
}

const isOutdated = ({ headers }: Pick<Context, 'headers'>): boolean => outdated.has(headers);

/**
 * Seals the cookie of a caller who was known by an earlier secret again with the newest, unless the session has ended
 * or another one began.
 */
export async function renewSession(context: Context, answered: Headers): Promise<void> {
  const { services, headers } = context;
  if (!isOutdated(context) || answered.has('Set-Cookie')) return;
  const opened = await services.sessions.open(headers);
  if (opened) answered.append('Set-Cookie', services.sessions.cookie(opened.session));
}
