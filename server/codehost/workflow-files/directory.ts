import { z } from 'zod';
import { MissingFields } from '../client/failures.ts';
import { unreadIn } from '../client/graphql-pages.ts';
import { describePartial, readableItems } from '../client/readable-items.ts';
import type { PartError } from '../client/transport.ts';
import { repositoryNameField } from '../delivery/context.ts';
import type { WorkflowFile, WorkflowFiles } from './client.ts';
import { type Blob, blobFields, type TreeFile, wireBlob } from './many.ts';

/** The directory of the workflow files as it was given, and what lies beside it. */
export interface DirectoryRead
  extends Pick<
    WorkflowFiles,
    'visibility' | 'commitSha' | 'treeId' | 'actionFile' | 'updatesFile' | 'rootFiles' | 'partialReason'
  > {
  /** null where there is none. */
  directory: { oid: string; entries: Entry[] } | null;
}

export type Entry = TreeFile & { object: Blob | null };

const workflowDirectory = '.github/workflows';
const linkMode = 0o120000;

export const isWorkflowFile = ({ name, type }: TreeFile) => type === 'blob' && /\.ya?ml$/.test(name);

export function toFiles(entries: readonly Entry[]): Pick<WorkflowFiles, 'files' | 'partial'> {
  const files = entries.filter(isWorkflowFile).map(toFile);
  const inOrder = files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files: inOrder, partial: files.some(({ unread }) => unread === 'no answer') };
}

function toFile({ name, oid, mode, object }: Entry): WorkflowFile {
  const unread = unreadReason(mode, object);
  const path = `${workflowDirectory}/${name}`;
  return { path, blobId: oid, text: unread === null ? (object?.text ?? null) : null, unread };
}

function unreadReason(mode: number, blob: Blob | null): WorkflowFile['unread'] {
  if (mode === linkMode) return 'a link';
  if (blob === null) return 'no answer';
  if (blob.isTruncated) return 'too large';
  if (blob.isBinary === true) return 'binary';
  return typeof blob.text === 'string' ? null : 'no answer';
}

const entry = z
  .object({
    name: z.string(),
    oid: z.string(),
    type: z.string(),
    mode: z.int(),
    object: wireBlob.nullish().catch(null),
  })
  .transform(({ object, ...rest }): Entry => ({ ...rest, object: object ?? null }));

/** At a path there may be something of another kind, of which nothing was requested. */
const present = z.object({ oid: z.string().nullish() }).nullish();
const ofAnotherKind = z.strictObject({}).transform(() => null);

const wireDirectory = z.object({ oid: z.string(), entries: readableItems(entry).nullish() });

/** What lies at the root beside the directory is not needed to read the files. */
const wireRoot = z
  .object({ entries: readableItems(z.object({ name: z.string(), type: z.string() })) })
  .nullish()
  .catch(null);

/** What is read of a repository, by the names of `directoryFields`. */
export const directoryShape = {
  visibility: z
    .unknown()
    .optional()
    .transform((text) => visibilities.parse(String(text).toLowerCase())),
  defaultBranchRef: z.object({ target: z.object({ oid: z.string() }).nullish() }).nullish(),
  workflows: wireDirectory.nullish().or(ofAnotherKind),
  root: wireRoot,
  actionYml: present,
  actionYaml: present,
  updatesYml: present,
  updatesYaml: present,
};
/** What is not known to be public is not. */
const visibilities = z.enum(['public', 'private', 'internal']).catch('private');

const directorySchema = z.object(directoryShape);
type WireDirectory = z.output<typeof directorySchema>;

const places = {
  actionYml: 'action.yml',
  actionYaml: 'action.yaml',
  updatesYml: '.github/dependabot.yml',
  updatesYaml: '.github/dependabot.yaml',
} as const;

/** What a query requests of a repository. */
export const directoryFields = `${repositoryNameField}
    visibility
    defaultBranchRef { target { oid } }
    workflows: object(expression: "HEAD:${workflowDirectory}") {
      ... on Tree { oid entries { name oid type mode object { ... on Blob { ${blobFields} } } } }
    }
    root: object(expression: "HEAD:") { ... on Tree { entries { name type } } }
    ${Object.entries(places)
      .map(([key, path]) => `${key}: object(expression: "HEAD:${path}") { ... on Blob { oid } }`)
      .join('\n    ')}`;

/** The directory in what `operation` was answered. Throws `MissingFields` where it could not be read. */
export function directoryIn(operation: string, found: WireDirectory, errors: readonly PartError[]): DirectoryRead {
  const { workflows } = found;
  const denied = errors.filter(isAboutDirectory);
  if (!workflows && denied.length > 0) throw new MissingFields(['repository.workflows'], denied);
  if (workflows && !isListed(workflows)) throw new MissingFields(['repository.workflows.entries'], denied);
  const first = (...keys: (keyof typeof places)[]) => keys.find((key) => found[key]?.oid);
  const toPath = (key: keyof typeof places | undefined) => (key ? places[key] : null);
  return {
    visibility: found.visibility,
    commitSha: found.defaultBranchRef?.target?.oid ?? null,
    treeId: workflows?.oid ?? null,
    directory: workflows ? { oid: workflows.oid, entries: workflows.entries?.items ?? [] } : null,
    actionFile: toPath(first('actionYml', 'actionYaml')),
    rootFiles: found.root?.entries.items.flatMap(({ name, type }) => (type === 'blob' ? name : [])) ?? null,
    updatesFile: toPath(first('updatesYml', 'updatesYaml')),
    partialReason: describePartial(operation, workflows?.entries?.excluded ?? null, unreadIn(errors)),
  };
}

/** An absent directory is null without an error; with one, nobody knows what is in it. */
const isAboutDirectory = ({ path }: PartError) => path?.[1] === 'workflows';

/** A directory that is there and of which no entry could be read is no empty one. */
const isListed = ({ entries }: NonNullable<WireDirectory['workflows']>) =>
  entries && (entries.items.length > 0 || entries.excluded === null);

/** From so many entries on the directory may go on beyond what is given of it. */
export const maxDirectoryEntries = 1000;
