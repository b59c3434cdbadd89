import { parentPort } from 'node:worker_threads';
import { type AdviseTask, advise } from './advise.ts';

parentPort?.on('message', (task: AdviseTask) => {
  const from = performance.now();
  const result = advise(task);
  parentPort?.postMessage({ result, ms: performance.now() - from });
});
parentPort?.postMessage('ready');
