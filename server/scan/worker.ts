import { parentPort } from 'node:worker_threads';
import type { Surroundings } from './rule.ts';
import { type FileScan, scanFile } from './scan.ts';

/** A file for the thread that scans. */
export interface ScanTask {
  path: string;
  text: string;
  around: Surroundings;
  /** When it is, for suppressions that end. */
  now: number;
}

export type ScanResult = FileScan;

parentPort?.on('message', ({ path, text, around, now }: ScanTask) => {
  const from = performance.now();
  const result: ScanResult = scanFile(path, text, around, now);
  parentPort?.postMessage({ result, ms: performance.now() - from });
});
parentPort?.postMessage('ready');
