import { fdatasyncSync } from 'node:fs';
import type { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { ownerOnly } from './private-tree.ts';

type Setup = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts'];
type Module = Parameters<NonNullable<Setup['preRun']>[number]>[0];

/**
 * The host's files for PGlite, with the one call its file layer lacks: fsync. With it PostgreSQL's own rules hold
 * (log before answer, checkpoint before reuse), so that a power cut loses nothing that was acknowledged.
 */
export class DurableFiles extends NodeFS {
  override async init(database: PGlite, options: Setup) {
    const { emscriptenOpts } = await super.init(database, options);
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), giveSync, keepPrivate] } };
  }
}

/** PGlite switches syncing off by `-F`, and its fdatasync does nothing; its fsync reaches the file layer. */
export const durable = (defaults: readonly string[]): string[] => [
  ...defaults.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  '-c',
  'wal_sync_method=fsync',
];

/** What PGlite makes would be readable and writable for everybody. */
function keepPrivate(module: Module) {
  const { node_ops } = (module as unknown as { NODEFS: { node_ops: NodeOperations } }).NODEFS;
  const { mknod, setattr } = node_ops;
  node_ops.mknod = (parent, name, mode, device) => mknod(parent, name, ownerOnly(mode), device);
  node_ops.setattr = (node, { mode, ...rest }) =>
    setattr(node, mode === undefined ? rest : { ...rest, mode: ownerOnly(mode) });
}

interface NodeOperations {
  mknod(parent: object, name: string, mode: number, device: number): object;
  setattr(node: object, attributes: { mode?: number }): void;
}

function giveSync(module: Module) {
  const { NODEFS } = module as unknown as { NODEFS: { stream_ops: { fsync?(stream: { nfd: number }): number } } };
  NODEFS.stream_ops.fsync = ({ nfd }) => {
    fdatasyncSync(nfd);
    return 0;
  };
}
