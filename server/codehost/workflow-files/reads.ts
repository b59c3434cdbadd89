import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { MissingFields } from '../client/failures.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { readableItems } from '../client/readable-items.ts';
import type { PartError } from '../client/transport.ts';
import {
  type DeliveryContext,
  minuteMs,
  repositoryIn,
  repositoryNameField,
  repositoryVariables,
} from '../delivery/context.ts';
import type { WorkflowFile, WorkflowFileReads, WorkflowFiles } from './client.ts';
import { type Blob, blobFields, readBlobs, readTree, type TreeFile, wireBlob } from './many.ts';

/** Reads the workflow files of the default branch, with their text. */
export const createWorkflowFiles = (context: DeliveryContext): WorkflowFileReads => ({
  async workflowFiles(name) {
    const { value, stale, asOf } = await context.reader.remember(
      { key: `workflow files ${nameKey(name)}`, freshMs: () => 5 * minuteMs },
      () => readWorkflowFiles(context, name),
    );
    return { ...value, stale, asOf };
  },
});

/** From so many entries on the directory may go on beyond what is given of it. */
const maxDirectoryEntries = 1000;

async function readWorkflowFiles(
  context: DeliveryContext,
  name: RepositoryName,
): Promise<Omit<WorkflowFiles, 'stale' | 'asOf'>> {
  const { directory, ...beside } = await askDirectory(context, name);
  if (!directory) return { ...beside, files: [], partial: false };
  const given = directory.entries;
  if (given.length < maxDirectoryEntries) {
    const found = toFiles(given);
    return { ...beside, ...found, partial: found.partial || !directory.complete };
  }
  const tree = await readTree(context, name, directory.oid);
  const known = new Map(given.map((one) => [one.name, one.object]));
  const missing = tree.files.filter((one) => isWorkflowFile(one) && !known.has(one.name));
  const blobs = await readBlobs(context, name, missing);
  const found = toFiles(
    tree.files.map((one) => ({ ...one, object: known.get(one.name) ?? blobs.get(one.oid) ?? null })),
  );
  return { ...beside, ...found, partial: found.partial || !tree.complete };
}

type Entry = TreeFile & { object: Blob | null };

const directory = '.github/workflows';
const linkMode = 0o120000;

const isWorkflowFile = ({ name, type }: TreeFile) => type === 'blob' && /\.ya?ml$/.test(name);

function toFiles(entries: readonly Entry[]): Pick<WorkflowFiles, 'files' | 'partial'> {
  const files = entries.filter(isWorkflowFile).map(toFile);
  const inOrder = files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { files: inOrder, partial: files.some(({ unread }) => unread === 'no answer') };
}

function toFile({ name, oid, mode, object }: Entry): WorkflowFile {
  const unread = unreadReason(mode, object);
  return { path: `${directory}/${name}`, blobId: oid, text: unread === null ? (object?.text ?? null) : null, unread };
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
type Directory = z.output<typeof wireDirectory>;

const shape = {
  visibility: z
    .unknown()
    .optional()
    .transform((text) => visibilities.parse(String(text).toLowerCase())),
  defaultBranchRef: z.object({ target: z.object({ oid: z.string() }).nullish() }).nullish(),
  workflows: wireDirectory.nullish().or(ofAnotherKind),
  actionYml: present,
  actionYaml: present,
  updatesYml: present,
  updatesYaml: present,
};
/** What is not known to be public is not. */
const visibilities = z.enum(['public', 'private', 'internal']).catch('private');

const places = {
  actionYml: 'action.yml',
  actionYaml: 'action.yaml',
  updatesYml: '.github/dependabot.yml',
  updatesYaml: '.github/dependabot.yaml',
} as const;

async function askDirectory(context: DeliveryContext, name: RepositoryName) {
  const inRepository = repositoryIn(context, name, shape);
  return requestAll(context.transport, {
    operation: 'workflow files',
    query: workflowFilesQuery,
    variables: repositoryVariables(name),
    read(data, errors) {
      const found = inRepository(data, errors);
      context.transport.warnOfExcluded('workflow files', found.workflows?.entries?.excluded ?? null);
      const denied = errors.filter(isAboutDirectory);
      if (!found.workflows && denied.length > 0) throw new MissingFields(['repository.workflows'], denied);
      const first = (...keys: (keyof typeof places)[]) => keys.find((key) => found[key]?.oid);
      const getPath = (key: keyof typeof places | undefined) => (key ? places[key] : null);
      return {
        visibility: found.visibility,
        commitSha: found.defaultBranchRef?.target?.oid ?? null,
        directory: found.workflows && toDirectory(found.workflows),
        actionFile: getPath(first('actionYml', 'actionYaml')),
        updatesFile: getPath(first('updatesYml', 'updatesYaml')),
      };
    },
  });
}

const toDirectory = ({ oid, entries }: Directory) => ({
  oid,
  entries: entries?.items ?? [],
  complete: !entries?.excluded,
});

/** An absent directory is null without an error; with one, nobody knows what is in it. */
const isAboutDirectory = ({ path }: PartError) => path?.[1] === 'workflows';

const workflowFilesQuery = `
query WorkflowFiles($owner: String!, $name: String!) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    visibility
    defaultBranchRef { target { oid } }
    workflows: object(expression: "HEAD:${directory}") {
      ... on Tree { oid entries { name oid type mode object { ... on Blob { ${blobFields} } } } }
    }
    ${Object.entries(places)
      .map(([key, path]) => `${key}: object(expression: "HEAD:${path}") { ... on Blob { oid } }`)
      .join('\n    ')}
  }
}`;
