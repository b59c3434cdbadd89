import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../platform/log.ts';
import type { Queries } from './database.ts';

/** What changed: sessions, as a trigger of the database reports, or the status of a token with the platform. */
export type Topic = 'sessions' | 'tokens';

/** Notifications between processes on one PostgreSQL. */
export interface Notices {
  /**
   * Calls `drop` when this was changed by whichever process, with what it is about; and with nothing when a notice may
   * have been missed.
   */
  on(topic: Topic, drop: (about: string) => void): void;
  /** Resolves when notices come, or when the first attempt to listen failed. Only after `on`. */
  tried(): Promise<void>;
  close(): Promise<void>;
}

const channel = 'delivery_notices';
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** Notifies all processes of a change that no trigger reports, when the transaction ends. */
export async function notify({ db }: Queries, topic: Topic, about: string): Promise<void> {
  const call = sql`pg_notify(${channel}, ${`${topic} ${about}`})`;
  await db.selectNoFrom(call.as('notified')).execute();
}

/**
 * Listens on a connection of its own, from the first `on` until `close`. It is opened again after a failure. A pooler
 * that hands each transaction to another connection lets no notice through: whoever remembers something lets it
 * expire by itself as well.
 */
export function listenTo(url: string, log: Log): Notices {
  const listeners = new Map<Topic, Set<(about: string) => void>>();
  const closing = new AbortController();
  const tried = Promise.withResolvers<void>();
  let listening: Promise<void> | undefined;
  const begun = () => {
    for (const drops of listeners.values()) for (const drop of drops) drop('');
    tried.resolve();
  };
  const onNotification = (payload = '') => {
    const [topic, about = ''] = payload.split(' ');
    for (const drop of listeners.get(topic as Topic) ?? []) drop(about);
  };
  return {
    on(topic, drop) {
      listeners.set(topic, (listeners.get(topic) ?? new Set()).add(drop));
      listening ??= keepListening({ url, log, closing: closing.signal, onNotification, begun, failed: tried.resolve });
    },
    tried: () => tried.promise,
    async close() {
      closing.abort();
      await listening;
    },
  };
}

interface Listening {
  url: string;
  log: Log;
  closing: AbortSignal;
  onNotification(payload: string | undefined): void;
  /** From now on nothing is missed. */
  begun(): void;
  failed(): void;
}

async function keepListening(listening: Listening): Promise<void> {
  const { closing, log } = listening;
  for (let pauseMs = firstPauseMs; !closing.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const begun = () => {
      pauseMs = firstPauseMs;
      listening.begun();
    };
    const error = await listenOnce({ ...listening, begun });
    listening.failed();
    if (closing.aborted) return;
    log.warn({ err: error }, 'notices of other processes do not come: what is remembered expires by itself');
    await sleep(pauseMs, undefined, { signal: closing, ref: false }).catch(() => undefined);
  }
}

/** Ends when the connection does; answers why. */
async function listenOnce({ url, closing, onNotification, begun }: Listening): Promise<unknown> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'delivery-analytics notices',
  });
  const ended = new Promise<unknown>((resolve) => {
    client.on('error', resolve);
    client.on('end', () => resolve(new Error('The connection was closed.')));
    closing.addEventListener('abort', resolve, { once: true });
  });
  client.on('notification', ({ payload }) => onNotification(payload));
  const listens = async () => {
    await client.connect();
    await client.query(`listen ${channel}`);
    begun();
    return ended;
  };
  try {
    return await Promise.race([listens().catch((error: unknown) => error), ended]);
  } finally {
    await client.end().catch(() => undefined);
  }
}
