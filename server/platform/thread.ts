import { enableCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

/** What a thread begins with: its file, and where the process keeps what V8 compiled; null where it keeps nothing. */
export interface ThreadStart {
  file: string;
  compiled: string | null;
}

const { file, compiled } = workerData as ThreadStart;
// A thread does not have that of its process.
if (compiled !== null) enableCompileCache(compiled);
await import(pathToFileURL(file).href);
