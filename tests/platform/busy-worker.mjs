// Does what its message says, for the tests of the thread that runs tasks.
import { parentPort, threadId } from 'node:worker_threads';

parentPort.on('message', (task) => {
  if (task === 'loop') for (;;) Math.random();
  if (task === 'throw') throw new Error('told to');
  if (task === 'fill') for (const all = []; ; ) all.push({ n: all.length });
  parentPort.postMessage({ result: `${task} in ${threadId}`, ms: 1 });
});
parentPort.postMessage('ready');
