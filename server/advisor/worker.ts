import { parentPort } from 'node:worker_threads';
import { type JudgeTask, judge } from './judge.ts';

parentPort?.on('message', (task: JudgeTask) => {
  const from = performance.now();
  const result = judge(task);
  parentPort?.postMessage({ result, ms: performance.now() - from });
});
parentPort?.postMessage('ready');
