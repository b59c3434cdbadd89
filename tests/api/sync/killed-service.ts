// The service behind a port, as a process that may be killed at any moment. Reports its port to whoever started it, who
// may put its clock forward by messages of milliseconds.
import { readEnv } from '../../../server/platform/env.ts';
import { boot } from '../../../server/start.ts';
import { listen } from '../../http/listening.ts';

// Whoever started it is gone.
process.once('disconnect', () => process.exit());

let aheadMs = 0;
process.on('message', (ms) => {
  aheadMs += Number(ms);
  process.send?.('advanced');
});

const app = await boot(readEnv(), { now: () => Date.now() + aheadMs });
const { port } = await listen({ app });
process.send?.(port);
