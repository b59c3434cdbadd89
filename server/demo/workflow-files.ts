import { createHash } from 'node:crypto';
import type { WorkflowFile, WorkflowFileReads, WorkflowFiles } from '../codehost/workflow-files/client.ts';
import type { RepositoryName } from '../metrics/kernel/facts.ts';
import { repositoryNamed } from './lookup.ts';
import { workflowTexts } from './workflow-texts.ts';
import type { World } from './world.ts';

/** The workflow files of the sample world. Unknown names throw `Problem('not_found')`. */
export const demoWorkflowFiles = (world: World): WorkflowFileReads => ({
  workflowFiles: async (name) => readFiles(world, name),
  workflowFilesOfMany: async (names) => names.map((name) => readFiles(world, name)),
});

function readFiles(world: World, name: RepositoryName): WorkflowFiles {
  const { repository, workflows, commits, rootFiles } = repositoryNamed(world, name);
  const paths = workflows.map(({ path }) => path).filter((path) => path.startsWith('.github/'));
  return {
    visibility: repository.visibility,
    commitSha: commits[0]?.sha ?? null,
    treeId: null,
    files: paths.sort().map(fileAt),
    actionFile: null,
    updatesFile: null,
    rootFiles: rootFiles && [...rootFiles],
    partial: false,
    stale: false,
    asOf: world.now,
  };
}

function fileAt(path: string): WorkflowFile {
  const text = workflowTexts[path.split('/').at(-1) ?? ''];
  if (text === undefined) throw new Error(`The sample world has no text for ${path}`);
  const blobId = createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');
  return { path, blobId, text, unread: null };
}
