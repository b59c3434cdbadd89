import { createHash } from 'node:crypto';
import { shaOf } from './delivery-builders.ts';
import type { DoubleRepository } from './world.ts';

/** Every file a commit ever changed is taken to be there still, unless the newest one took it away. */
export const pathsOf = ({ commits, workflowFiles, files }: DoubleRepository): string[] => {
  const oldestFirst = commits.toSorted((one, other) => one.committedAt - other.committedAt);
  const changes = new Map(oldestFirst.flatMap((one) => one.files.map((file) => [file.path, file] as const)));
  const isThere = [...changes].flatMap(([path, { removed }]) => (removed ? [] : path));
  return [...new Set([...workflowFiles.map((name) => `.github/workflows/${name}`), ...files.keys(), ...isThere])];
};

/** A file as GraphQL gives it. */
export function fileAt({ files }: DoubleRepository, path: string) {
  const content = files.get(path) ?? (path.startsWith('.github/workflows/') ? plainWorkflow : path);
  const bytes = typeof content !== 'string' && 'bytes' in content ? content.bytes : null;
  const text = typeof content === 'string' ? content : bytes && new TextDecoder().decode(bytes);
  const isTruncated = typeof content !== 'string' && 'isTruncated' in content;
  const oid = blobId(bytes ?? text ?? `${path} ${JSON.stringify(content)}`);
  const byteSize = isTruncated ? 600_000 : Buffer.byteLength(text ?? '');
  return {
    oid,
    byteSize,
    isTruncated,
    isBinary: text === null && !isTruncated,
    text: isTruncated ? 'name: cut' : text,
  };
}

export const isFileId = (one: DoubleRepository, path: string, id: string): boolean =>
  /^[0-9a-f]{40}$/.test(id) && fileAt(one, path).oid === id;

/** The id of a directory, which follows from what is in it. */
export function treeIdOf(one: DoubleRepository, path: string): string {
  const below = pathsOf(one).filter((each) => path === '' || each.startsWith(`${path}/`));
  return shaOf(`tree ${path} ${below.map((each) => `${each} ${fileAt(one, each).oid}`).join()}`);
}

const blobId = (content: string | Uint8Array) =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');

const plainWorkflow = `name: CI
on: push
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    steps:
      - run: make
`;
