import { parentPort } from 'node:worker_threads';
import { type ComparisonTask, comparePullRequests } from './compare.ts';

parentPort?.on('message', ({ pullRequests, seed }: ComparisonTask) => {
  const from = performance.now();
  const result = comparePullRequests(pullRequests, seed);
  parentPort?.postMessage({ result, ms: performance.now() - from });
});
parentPort?.postMessage('ready');
