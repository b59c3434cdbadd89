import { bearerOf } from '../../codehost-double/platform-token.ts';
import type { DoubleToken } from '../../codehost-double/world.ts';
import type { Answered, RequestOptions, Service } from '../../support/service.ts';
import { advised, workflowText } from './advised-world.ts';

export const file = '.github/workflows/ci.yml';

/** A token of ann that may change workflow files. */
export const writer: DoubleToken = {
  token: 'token-writer',
  login: 'ann',
  scopes: ['repo', 'workflow'],
  authorizedFor: [],
  only: null,
};

/** The repository octo/advised without a history, and the token that may change it. */
export function addAdvised({ double }: Pick<Service, 'double'>, text = workflowText): void {
  double.world.tokens.push(writer);
  double.addRepository({ name: 'octo/advised', facts: { id: advised.id }, files: new Map([[file, text]]) });
}

export interface Shown {
  ids: string[];
  base_blobs: Record<string, string>;
  resulting_blobs: Record<string, string>;
}

/** What a preview shows: the changes that can be made, and the contents that they are of. */
export async function preview({ ask }: Service, as = writer.token, repo = 'advised', most = 1): Promise<Shown> {
  const place = `owner=octo&repo=${repo}`;
  const { body } = await ask('GET', `/api/advisor/recommendations?${place}`, { as });
  const ids = body.recommendations.slice(0, most).map(({ id }: { id: string }) => id);
  const patch = await ask('GET', `/api/advisor/patch?${place}&ids=${ids.join()}`, { as });
  const files: { path: string; base_blob: string; new_blob: string }[] = patch.body.files;
  return {
    ids: patch.body.ids,
    base_blobs: Object.fromEntries(files.map((one) => [one.path, one.base_blob])),
    resulting_blobs: Object.fromEntries(files.map((one) => [one.path, one.new_blob])),
  };
}

interface Wish {
  key?: string;
  [field: string]: unknown;
}

/** Opens a pull request in octo/advised as ann, from one address, unless something else is said. */
export const opens =
  ({ ask }: Service) =>
  ({ key, ...wish }: Wish, { headers, ...asked }: RequestOptions = {}): Promise<Answered> =>
    ask('POST', '/api/advisor/pull-request', {
      as: writer.token,
      from: '10.0.6.1',
      body: { owner: 'octo', repo: 'advised', ...wish },
      headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
      ...asked,
    });

export const bearer = bearerOf(writer.token);

/** What was written to the platform: its branches with the texts of their commit, and its pull requests. */
export function written({ double }: Pick<Service, 'double'>, repo = 'advised') {
  const found = double.world.repositories.find(({ facts }) => facts.owner === 'octo' && facts.repo === repo);
  return {
    branches: (found?.refs ?? []).map(({ name, files }) => ({ name, text: files?.get(file) ?? null })),
    pullRequests: (found?.pullRequests ?? []).map(({ number, title, body, headBranch, isDraft, author }) => ({
      number,
      title,
      body,
      headBranch,
      isDraft,
      author: author?.login,
    })),
  };
}

/** What was requested of the platform, in the words of the steps. */
export const steps = ({ double }: Pick<Service, 'double'>): string[] =>
  double.requests.flatMap(({ method, path, graphql }) => {
    if (graphql?.query.includes('createCommitOnBranch')) return 'commit';
    if (graphql?.query.includes('$own0') || graphql?.query.includes('headRefName')) return 'read';
    if (graphql) return 'graphql';
    if (method === 'POST' && path.endsWith('/git/refs')) return 'branch';
    if (method === 'POST' && path.endsWith('/pulls')) return 'pull request';
    return method === 'DELETE' ? 'clean-up' : `${method} ${path}`;
  });
