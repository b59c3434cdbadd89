import { parentPort } from 'node:worker_threads';
import { type ComparisonTask, compareGathered } from './compare-gathered.ts';

parentPort?.on('message', (task: ComparisonTask) => {
  const from = performance.now();
  const result = compareGathered(task);
  parentPort?.postMessage({ result, ms: performance.now() - from });
});
parentPort?.postMessage('ready');
