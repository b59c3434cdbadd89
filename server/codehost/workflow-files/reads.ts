import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { MissingFields, toMissingProblem } from '../client/failures.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey } from '../client/names.ts';
import { fieldsIn } from '../client/readable-items.ts';
import type { Read } from '../client/reader.ts';
import type { PartError } from '../client/transport.ts';
import { type DeliveryContext, minuteMs, repositoryIn, repositoryVariables } from '../delivery/context.ts';
import { type BatchOptions, createBatches } from '../repositories/batches.ts';
import type { WorkflowFileReads, WorkflowFiles } from './client.ts';
import {
  type DirectoryRead,
  directoryFields,
  directoryIn,
  directoryShape,
  isWorkflowFile,
  maxDirectoryEntries,
  toFiles,
} from './directory.ts';
import { readBlobs, readTree } from './many.ts';

type StoredFiles = Omit<WorkflowFiles, 'stale' | 'asOf'>;

/** Reads the workflow files of default branches, with their text. */
export function createWorkflowFiles(context: DeliveryContext, batches: BatchOptions): WorkflowFileReads {
  const readBatches = createBatches<StoredFiles | null>(batches, {
    operation: operationOfMany,
    size: 10,
    freshMs,
    toKey: filesKey,
    buildQuery: buildQueryOfMany,
    read: (wire, errors) => filesInBatch(context, wire, errors),
    impossible: () => new Problem('not_found', 'Repository not found on GitHub.'),
    isCached: (files) => files !== null,
  });
  const readOne = async (name: RepositoryName, { anew = false }: { anew?: boolean } = {}) => {
    const read = await context.reader.remember({ key: filesKey(name), freshMs: () => freshMs, always: anew }, () =>
      readWorkflowFiles(context, name),
    );
    return asFiles(read);
  };
  return {
    workflowFiles: readOne,
    async workflowFilesOfMany(names) {
      const found = await readBatches(names);
      const toOutcome = async (name: RepositoryName): Promise<WorkflowFiles | Problem> => {
        const read = found.get(nameKey(name));
        if (read === undefined || read instanceof Problem) return read ?? readOne(name);
        return read.value === null ? readOne(name).catch(problemOrThrow) : asFiles({ ...read, value: read.value });
      };
      return Promise.all(names.map(toOutcome));
    },
  };
}

const freshMs = 5 * minuteMs;
const filesKey = (name: RepositoryName) => `workflow files ${nameKey(name)}`;

const asFiles = ({ value, stale, asOf }: Read<StoredFiles>): WorkflowFiles => ({ ...value, stale, asOf });

function problemOrThrow(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

async function readWorkflowFiles(context: DeliveryContext, name: RepositoryName): Promise<StoredFiles> {
  const { directory, ...beside } = await requestDirectory(context, name);
  const given = filesGiven({ directory, ...beside });
  if (given || !directory) return given ?? { ...beside, files: [], partial: false };
  const tree = await readTree(context, name, directory.oid);
  const known = new Map(directory.entries.map((one) => [one.name, one.object]));
  const missing = tree.files.filter((one) => isWorkflowFile(one) && !known.has(one.name));
  const blobs = await readBlobs(context, name, missing);
  const found = toFiles(
    tree.files.map((one) => ({ ...one, object: known.get(one.name) ?? blobs.get(one.oid) ?? null })),
  );
  return { ...beside, ...found, partial: found.partial || !tree.complete || beside.partialReason !== undefined };
}

/** The files where the directory was given to its end; null where it may go on. */
function filesGiven({ directory, ...beside }: DirectoryRead): StoredFiles | null {
  const hasGaps = beside.partialReason !== undefined;
  if (!directory) return { ...beside, files: [], partial: hasGaps };
  if (directory.entries.length >= maxDirectoryEntries) return null;
  const found = toFiles(directory.entries);
  return { ...beside, ...found, partial: found.partial || hasGaps };
}

const operation = 'workflow files';
const operationOfMany = 'workflow files of repositories';

async function requestDirectory(context: DeliveryContext, name: RepositoryName): Promise<DirectoryRead> {
  const inRepository = repositoryIn(context, name, directoryShape);
  return requestAll(context.transport, {
    operation,
    query: workflowFilesQuery,
    variables: repositoryVariables(name),
    read(data, errors) {
      const found = inRepository(data, errors);
      context.transport.warnExcluded(operation, found.workflows?.entries?.excluded ?? null);
      return directoryIn(operation, found, errors);
    },
  });
}

/** The files of one repository of a batch; null where its directory is too large to be read with others. */
function filesInBatch(
  { transport }: DeliveryContext,
  wire: unknown,
  errors: readonly PartError[],
): StoredFiles | null | Problem {
  const { data, error } = batchSchema.safeParse(wire);
  if (!data) {
    const fields = wire ? fieldsIn([error]) : ['repository'];
    return toMissingProblem(operationOfMany, new MissingFields(fields, errors));
  }
  transport.warnExcluded(operationOfMany, data.workflows?.entries?.excluded ?? null);
  try {
    return filesGiven(directoryIn(operationOfMany, data, errors));
  } catch (denied) {
    if (denied instanceof MissingFields) return toMissingProblem(operationOfMany, denied);
    throw denied;
  }
}

const batchSchema = z.object(directoryShape);

const workflowFilesQuery = `
query WorkflowFiles($owner: String!, $name: String!) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${directoryFields}
  }
}`;

const buildQueryOfMany = (places: readonly number[]) => `
query WorkflowFilesOfRepositories(${places.map((index) => `$owner${index}: String!, $name${index}: String!`).join(', ')}) {
  ${rateLimitCost}
  ${places.map((index) => `r${index}: repository(owner: $owner${index}, name: $name${index}) { ...WorkflowFiles }`).join('\n  ')}
}
fragment WorkflowFiles on Repository {
  ${directoryFields}
}`;
