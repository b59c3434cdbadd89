import type { WorkflowChange, WorkflowChangeReads, WorkflowFileChange } from '../codehost/workflow-changes/client.ts';
import type { Actor } from '../metrics/kernel/facts.ts';
import type { WorldCommit } from './commits.ts';
import { listing, repositoryNamed } from './lookup.ts';
import type { World, WorldRepository } from './world.ts';

/** Changes of workflow files in the sample world. Unknown names throw `Problem('not_found')`. */
export const demoWorkflowChanges = (world: World): WorkflowChangeReads => ({
  async workflowChanges(name, max) {
    const repository = repositoryNamed(world, name);
    const touching = repository.commits.filter(({ files, parents }) => parents < 2 && files.some(isWorkflowFile));
    const changes = touching.map((commit, index) => createChange(repository, commit, index));
    return { ...listing(world, changes, max), partial: false };
  },
});

const isWorkflowFile = (path: string) => path.startsWith('.github/workflows/');

/** Who commits what is merged in the browser. */
const platform: Actor = { login: 'web-flow', avatarUrl: '', isBot: true };

function createChange({ pullRequests }: WorldRepository, commit: WorldCommit, index: number): WorkflowChange {
  const pull = pullRequests.find(({ mergeSha, headSha }) => mergeSha === commit.sha || headSha === commit.sha);
  const { sha, author, authorName, authoredAt, committedAt } = commit;
  return {
    sha,
    author,
    authorName,
    authoredAt,
    committedAt,
    htmlUrl: '#',
    message: commit.message,
    committer: pull ? platform : author,
    verified: pull ? true : (signatures[sha.charCodeAt(0) % signatures.length] ?? null),
    pullRequest: pull?.number ?? null,
    files: createFiles(commit, index),
  };
}

const signatures = [true, true, false, null];

/** A preview was tried and removed again; otherwise what the commit itself names. */
function createFiles({ files }: WorldCommit, index: number): WorkflowFileChange[] {
  const own = files.filter(isWorkflowFile).map((path): WorkflowFileChange => ({ path, change: 'modified' }));
  const preview = { path: '.github/workflows/preview.yml' };
  if (index === removedAt) return [...own, { ...preview, change: 'removed' }];
  return index === addedAt ? [...own, { ...preview, change: 'added' }] : own;
}

/** Positions from the newest change on. */
const removedAt = 2;
const addedAt = 6;
