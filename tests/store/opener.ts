import { createLog } from '../../server/platform/log.ts';
import { openStore } from '../../server/store/orm.ts';

/** A process that brings a database to this version's shape, and then does nothing until it is killed. Argument: address. */
const [url = ''] = process.argv.slice(2);
console.log('opening');
await openStore({ url, log: createLog('silent'), poolMax: 4, statementTimeoutMs: 60_000, migrate: true });
setInterval(() => {}, 60_000);
