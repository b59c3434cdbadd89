// Delivers what waits until it is killed, as a process of the service does. Says so on stdout.
import { setTimeout as sleep } from 'node:timers/promises';
import { deliverWaiting } from '../../server/alerts/deliver.ts';
import { createMailer } from '../../server/mail/mailer.ts';
import { systemClock as clock } from '../../server/platform/clock.ts';
import { readEnv } from '../../server/platform/env.ts';
import { createLog } from '../../server/platform/log.ts';
import { openQueue } from '../../server/queue/queue.ts';
import { openStore } from '../../server/store/orm.ts';

const env = readEnv(JSON.parse(process.argv[2] ?? '{}'));
const log = createLog('silent');
const url = env.DATABASE_URL ?? '';
const store = await openStore({ url, log, poolMax: 4, statementTimeoutMs: 60_000, migrate: false });
const queue = openQueue({ store, log, migrate: false });
const services = { env, log, clock, store, queue, mailer: createMailer({ env, store, clock, log }) };
process.stdout.write('begun\n');
while (await store.alertDeliveries.isDelivering()) {
  await deliverWaiting(services, () => true);
  await sleep(5);
}
process.stdout.write('done\n');
await queue.stop();
await store.close();
