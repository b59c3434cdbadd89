import { z } from 'zod';
import type { UsedRef } from '../../scan/action-uses.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { isPossibleName } from '../client/names.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { objectFields, peel, wireObject } from './objects.ts';

/** The file of an action or a reusable workflow at a commit. */
export interface FileQuestion extends Pick<UsedRef, 'actionKey' | 'path' | 'kind'> {
  /** Or the id of a tag itself, which whoever pins an action may write too. */
  commit: string;
}

/** The text of a file. */
export interface FoundFile {
  path: string;
  text: string;
  /** The commit that has it: another than was requested where that is the id of a tag. */
  leadsTo: string;
  /** The platform's id of the repository that has the name, or was renamed from it. */
  repositoryId: number;
  /** Whether not everybody may see that. */
  isPrivate: boolean;
}

/** `unreadable` where the platform denied it, or gave no text. */
export type ReadFile = FoundFile | 'not_found' | 'unreadable';

export interface ActionFileReads {
  /** The files of actions and reusable workflows, all in one request. Throws `Problem`. */
  actionFiles(questions: readonly FileQuestion[]): Promise<ReadFile[]>;
}

export const filesPerRequest = 50;

/** Reads what actions and reusable workflows consist of. */
export const createActionFiles = (transport: Transport): ActionFileReads => ({
  async actionFiles(questions) {
    const possible = questions.filter((one) => isPossibleName(toName(one)));
    if (possible.length === 0) return questions.map(() => 'not_found');
    const found = await requestFiles(transport, possible);
    return questions.map((one) => found[possible.indexOf(one)] ?? 'not_found');
  },
});

function toName({ actionKey }: FileQuestion) {
  const [owner = '', repo = ''] = actionKey.split('/');
  return { owner, repo };
}

/** Where the file may be, the first that is there counts. */
function listPaths({ path, kind }: FileQuestion): string[] {
  if (kind === 'reusable_workflow') return [path];
  const folder = path === '' ? '' : `${path}/`;
  return [`${folder}action.yml`, `${folder}action.yaml`];
}

function requestFiles(transport: Transport, questions: readonly FileQuestion[]): Promise<ReadFile[]> {
  const variables: Record<string, string> = {};
  const fields = questions.map((one, index) => {
    const { owner, repo } = toName(one);
    variables[`o${index}`] = owner;
    variables[`n${index}`] = repo;
    const objects = listPaths(one).map((path, at) => {
      variables[`e${index}_${at}`] = `${one.commit}:${path}`;
      return `f${at}: object(expression: $e${index}_${at}) { ... on Blob { text isBinary isTruncated } }`;
    });
    variables[`c${index}`] = one.commit;
    const fields = ['databaseId isPrivate', `at: object(oid: $c${index}) { ${objectFields} }`, ...objects];
    return `a${index}: repository(owner: $o${index}, name: $n${index}) { ${fields.join(' ')} }`;
  });
  const declared = Object.keys(variables).map(
    (name) => `$${name}: ${name.startsWith('c') ? 'GitObjectID' : 'String'}!`,
  );
  return requestAll(transport, {
    operation: 'files of actions',
    query: `query ActionFiles(${declared.join(', ')}) {\n  ${rateLimitCost}\n  ${fields.join('\n  ')}\n}`,
    variables,
    read(data, errors) {
      const answers = z.record(z.string(), z.unknown()).parse(data);
      return questions.map((one, index) => readFile(answers[`a${index}`], one, aboutPlace(errors, `a${index}`)));
    },
  });
}

/** An error that names no place may be about any of them. */
const aboutPlace = (errors: readonly PartError[], place: string) =>
  errors.filter(({ path }) => (path?.length ?? 0) === 0 || path?.[0] === place);

function readFile(answer: unknown, question: FileQuestion, errors: readonly PartError[]): ReadFile {
  const { data } = wireRepository.safeParse(answer);
  if (!data || errors.length > 0) return 'unreadable';
  const object = data.at ? peel(data.at) : null;
  for (const [at, path] of listPaths(question).entries()) {
    const read = wireBlob.nullish().safeParse(data[`f${at}`]);
    if (!read.success) return 'unreadable';
    const blob = read.data;
    if (!blob) continue;
    const isText = typeof blob.text === 'string' && !blob.isBinary && !blob.isTruncated;
    if (!isText || object?.__typename !== 'Commit') return 'unreadable';
    const { databaseId: repositoryId, isPrivate } = data;
    return { path, text: blob.text ?? '', leadsTo: object.oid, repositoryId, isPrivate };
  }
  return 'not_found';
}

const wireBlob = z.object({
  text: z.string().nullish(),
  isBinary: z.boolean().nullish(),
  isTruncated: z.boolean().optional(),
});
const wireRepository = z
  .object({ databaseId: z.int(), isPrivate: z.boolean(), at: wireObject.nullish() })
  .catchall(z.unknown());
