import type { Repository, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Problem } from '../../platform/problem.ts';
import type { Freshness } from '../client/client.ts';

/** A workflow file on the default branch. */
export interface WorkflowFile {
  path: string;
  /** Names the content: the same id is the same text, everywhere. */
  blobId: string;
  /** null when it was not given as text; `unread` is the reason. */
  text: string | null;
  unread: 'binary' | 'too large' | 'a link' | 'no answer' | null;
}

/** The workflow files of a repository, by path, with what lies beside them. */
export interface WorkflowFiles extends Freshness {
  visibility: Repository['visibility'];
  /** The commit they were read at; null for an empty repository. */
  commitSha: string | null;
  /** Names the content of their directory: the same id is the same files. null where there is none. */
  treeId: string | null;
  /** Files ending in .yml or .yaml directly in the directory; empty also when there is no such directory. */
  files: WorkflowFile[];
  /** Path of an action that the repository itself is; null when it is none. */
  actionFile: string | null;
  /** Path of the configuration of dependency updates. */
  updatesFile: string | null;
  /** Names of the files at the root, of the first 1,000 entries; null where they cannot be read. */
  rootFiles: string[] | null;
  /** true when the platform excluded some files, the text of some, or what lies beside them. */
  partial: boolean;
  /** See `Listing`. */
  partialReason?: string | undefined;
}

export interface WorkflowFileReads {
  /** One request where the directory has at most 1,000 entries. Cached for 5 minutes; `anew` reads no copy. */
  workflowFiles(name: RepositoryName, options?: { anew?: boolean }): Promise<WorkflowFiles>;
  /**
   * The same of several repositories in their order, ten in one request and cached alike; the problem of one that
   * cannot be read concerns no other.
   */
  workflowFilesOfMany(names: readonly RepositoryName[]): Promise<(WorkflowFiles | Problem)[]>;
}
