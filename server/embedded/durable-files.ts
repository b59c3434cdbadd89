import { fdatasyncSync } from 'node:fs';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Setup = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts'];
type Module = Parameters<NonNullable<Setup['preRun']>[number]>[0];

/**
 * The host's files for PGlite, with the one call its file layer lacks: fsync. With it PostgreSQL's own rules hold
 * (log before answer, checkpoint before reuse), so that a power cut loses nothing that was acknowledged.
 */
export class DurableFiles extends NodeFS {
  override async init(database: PGlite, options: Setup) {
    const { emscriptenOpts } = await super.init(database, options);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), giveSync] } };
  }
}

/** PGlite switches syncing off by `-F`, and its fdatasync does nothing; its fsync reaches the file layer. */
export const durable = (defaults: string[]): PGliteOptions['startParams'] => [
  ...defaults.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
];

function giveSync(module: Module) {
  const { NODEFS } = module as unknown as { NODEFS: { stream_ops: { fsync?(stream: { nfd: number }): number } } };
  NODEFS.stream_ops.fsync = ({ nfd }) => {
    fdatasyncSync(nfd);
    return 0;
  };
}
