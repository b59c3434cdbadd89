import { openMemory } from '../../server/embedded/database.ts';
import type { Store } from '../../server/store/orm.ts';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { namedNow, namedWorld } from '../codehost-double/named-world.ts';
import { webhookSecret } from '../codehost-double/webhook.ts';
import { type MailDouble, startMailDouble } from '../support/mail-double.ts';
import { migratedMemory } from '../support/migrated.ts';
import { speak } from '../support/reused-memory.ts';
import { movableClock, type Service, startService } from '../support/service.ts';
import { beginLife, type Cut, type Life } from './life.ts';

/** What came of something that a process did. */
export type Outcome<T> = { kind: 'done'; value: T } | { kind: 'failed' } | { kind: 'killed' };

/** A deployment of the service: a database, and one process after the other that uses it. */
export interface Deployment {
  clock: Service['clock'];
  double: Double;
  mail: MailDouble;
  /** The process that is alive. */
  readonly service: Service;
  readonly store: Store;
  /** Session cookies of ann and bo, which outlive every process. */
  cookies: Record<'ann' | 'bo', string>;
  /** Lets the process do something, in which it may be cut off; a killed one is replaced. */
  perform<T>(work: (service: Service) => Promise<T>, cut: Cut | null): Promise<Outcome<T> & { wasCut: boolean }>;
  /** Ends the process by a signal, and starts the next one, which may be cut off before it is ready. */
  restart(cut: Cut | null): Promise<void>;
  close(): Promise<void>;
}

/** What is wrong on purpose, so that an invariant does not hold. */
export interface Defect {
  /** Statements that are run once, before anything is stored. */
  sql?: string;
  /** What is changed about every process. */
  change?(service: Service): void;
}

export async function startDeployment(defect: Defect = {}): Promise<Deployment> {
  const clock = movableClock(namedNow);
  const double = await startDouble({ clock, world: namedWorld() });
  const mail = await startMailDouble();
  const address = await migratedMemory();
  const database = await openMemory(address.slice('pglite://memory:'.length));
  const { sql } = defect;
  if (sql) await speak(database, (query) => query(sql));
  const env = {
    DATABASE_URL: address,
    CODEHOST_TOKEN: 'token-ann',
    CODEHOST_WEBHOOK_SECRET: webhookSecret,
    RATE_LIMIT_SESSION_PER_MINUTE: '0',
    RESEND_API_KEY: mail.keys.resend,
    RESEND_FROM: 'alerts@codehost.example',
    RESEND_API_URL: mail.url,
  };
  const ended: Promise<void>[] = [];
  /** Starts a process, and the next one where it does not come to its start. */
  const begin = async (cut: Cut | null = null): Promise<{ life: Life; service: Service }> => {
    const life = beginLife(database);
    life.plan(cut);
    const service = await startService(env, { clock, double }, { openMemory: life.openMemory }).catch(
      (error: unknown) => {
        if (!life.wasCut) throw error;
        return null;
      },
    );
    if (service && life.isDead) ended.push(service.close().catch(() => undefined));
    if (!service || life.isDead) return begin();
    life.plan(null);
    defect.change?.(service);
    return { life, service };
  };
  let current = await begin();
  const cookies = {
    ann: await current.service.signIn('token-ann'),
    bo: await current.service.signIn('token-bo'),
  };
  const deployment: Deployment = {
    clock,
    double,
    mail,
    cookies,
    get service() {
      return current.service;
    },
    get store() {
      return current.service.app.services.store as Store;
    },
    async perform(work, cut) {
      const { life, service } = current;
      life.plan(cut);
      const outcome = await Promise.race([
        attempt(work, service),
        life.killed.then(() => ({ kind: 'killed' }) as const),
      ]);
      const { wasCut, isDead } = life;
      life.plan(null);
      if (!isDead) return { ...outcome, wasCut };
      // What its code still does, it does without a database.
      ended.push(service.close().catch(() => undefined));
      current = await begin();
      return { kind: 'killed', wasCut };
    },
    async restart(cut) {
      await current.service.close();
      await speak(database, (query) => query(endWaiting));
      current = await begin(cut);
    },
    async close() {
      await current.service.close();
      await Promise.all(ended);
      await database.close();
      await mail.close();
      await double.close();
    },
  };
  return deployment;
}

/** What waits in the queue waits by the clock of the database, which is not simulated. */
const endWaiting = `do $$ begin
  if to_regclass('queue.job') is not null then
    update queue.job set heartbeat_on = heartbeat_on - interval '1 minute', retry_delay = 0, retry_backoff = false
      where state = 'active';
    update queue.queue set monitor_claim_on = null, monitor_on = null;
    update queue.job set start_after = now() where state in ('created', 'retry');
  end if;
end $$`;

async function attempt<T>(work: (service: Service) => Promise<T>, service: Service): Promise<Outcome<T>> {
  try {
    const value = await work(service);
    await service.app.services.background.ended();
    return { kind: 'done', value };
  } catch {
    return { kind: 'failed' };
  }
}
