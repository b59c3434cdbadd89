import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request was and what it took, for its line of the log. */
export interface RequestRecord {
  /** Method and path template, `GET /repos/:owner/:repo`; null where nothing is at that address. */
  operation: string | null;
  /** Method and tool of a message of the Model Context Protocol; the tool only where it is one of ours. */
  mcp: { method: string; name: string } | null;
  /** Answers that were given again from memory. */
  cacheHits: number;
  /** Answers that could have been, and were made. */
  cacheMisses: number;
  /** Requests sent to the platform, repeats and redirects included; not those of others that it waited for. */
  upstreamRequests: number;
}

const storage = new AsyncLocalStorage<RequestRecord>();

export const createRequestRecord = (): RequestRecord => ({
  operation: null,
  mcp: null,
  cacheHits: 0,
  cacheMisses: 0,
  upstreamRequests: 0,
});

/** Records what this work does, however deep it calls. */
export const withRequestRecord = <T>(record: RequestRecord, work: () => T): T => storage.run(record, work);

export function noteOperation(method: string, pathTemplate: string): void {
  const record = storage.getStore();
  if (record) record.operation = `${method} ${pathTemplate}`;
}

/** @param name of a tool, `unknown` where it is none of ours */
export function noteMcp(method: string, name: string): void {
  const record = storage.getStore();
  if (record) record.mcp = { method, name };
}

export function noteCache(isHit: boolean): void {
  const record = storage.getStore();
  if (!record) return;
  if (isHit) record.cacheHits++;
  else record.cacheMisses++;
}

export function noteUpstreamRequest(): void {
  const record = storage.getStore();
  if (record) record.upstreamRequests++;
}

/** `hit` where every answer came from memory, `partial` where some did; `none` where none could. */
export function getCacheState({ cacheHits, cacheMisses }: RequestRecord): 'hit' | 'partial' | 'miss' | 'none' {
  if (cacheHits + cacheMisses === 0) return 'none';
  if (cacheMisses === 0) return 'hit';
  return cacheHits === 0 ? 'miss' : 'partial';
}
