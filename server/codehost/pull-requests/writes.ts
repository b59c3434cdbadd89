import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import { MissingFields } from '../client/failures.ts';
import { repositoryParams } from '../client/names.ts';
import { deniedErrors, dependsOnSize } from '../client/part-errors.ts';
import type { PartError, Transport } from '../client/transport.ts';
import { instant } from '../client/wire.ts';
import { repositoryVariables } from '../delivery/context.ts';
import { baseQuery, type OpenedPullRequest, type PullRequestBase, toBase } from './base.ts';
import { explainDenial } from './denials.ts';

/** What opens a pull request, with the caller's own token and name. Nothing is sent twice. */
export interface PullRequestWrites {
  /** One request, never from a copy. */
  pullRequestBase(name: RepositoryName, of: { branch: string; paths: readonly string[] }): Promise<PullRequestBase>;
  /** Throws `branch_refused`, `missing_permission` and the other problems of the platform. */
  createBranch(name: RepositoryName, of: { branch: string; oid: string }): Promise<'created' | 'exists'>;
  /**
   * One commit on top of a branch, as the token's owner. Answers its id; null where the branch does not end in
   * `expectedHead`. Throws as `createBranch` does.
   */
  commitFiles(
    name: RepositoryName,
    of: {
      branch: string;
      expectedHead: string;
      headline: string;
      body: string;
      files: readonly { path: string; text: string }[];
    },
  ): Promise<string | null>;
  deleteBranch(name: RepositoryName, branch: string): Promise<void>;
  /** `exists`: there is an open one from this branch. Throws as `createBranch` does. */
  openPullRequest(
    name: RepositoryName,
    of: { title: string; body: string; head: string; base: string; isDraft: boolean },
  ): Promise<OpenedPullRequest | 'exists'>;
}

export const createPullRequestWrites = (transport: Pick<Transport, 'rest' | 'graphql'>): PullRequestWrites => ({
  pullRequestBase: (name, { branch, paths }) =>
    transport.graphql({
      operation: 'base of a pull request',
      query: baseQuery(paths.length),
      variables: {
        ...repositoryVariables(name),
        ref: `refs/heads/${branch}`,
        head: branch,
        ...Object.fromEntries(
          paths.flatMap((path, index) => [
            [`base${index}`, `HEAD:${path}`],
            [`own${index}`, `refs/heads/${branch}:${path}`],
          ]),
        ),
      },
      retry: true,
      read: (data, errors, header) => toBase(data, errors, paths, header('x-oauth-scopes')),
    }),
  async createBranch(name, { branch, oid }) {
    const answer = await transport.rest<'created' | 'exists'>({
      operation: 'create branch',
      route: 'POST /repos/{owner}/{repo}/git/refs',
      params: { ...repositoryParams(name), ref: `refs/heads/${branch}`, sha: oid },
      once: true,
      errorStatuses: [403, 404, 422],
      read: () => 'created',
      fromError: ({ message }) => (/^Reference already exists/.test(message) ? 'exists' : explainDenial(message)),
    });
    return answer.fresh?.value ?? 'created';
  },
  commitFiles: (name, { branch, expectedHead, headline, body, files }) =>
    transport.graphql({
      operation: 'commit on a branch',
      query: commitMutation,
      variables: {
        input: {
          branch: { repositoryNameWithOwner: `${name.owner}/${name.repo}`, branchName: branch },
          expectedHeadOid: expectedHead,
          message: { headline, body },
          fileChanges: {
            additions: files.map(({ path, text }) => ({
              path,
              contents: Buffer.from(text, 'utf8').toString('base64'),
            })),
          },
        },
      },
      retry: false,
      read: readCommit,
    }),
  async deleteBranch(name, branch) {
    await transport.rest({
      operation: 'delete branch',
      route: 'DELETE /repos/{owner}/{repo}/git/refs/{ref}',
      params: { ...repositoryParams(name), ref: `heads/${branch}` },
      once: true,
      read: () => true,
    });
  },
  async openPullRequest(name, { title, body, head, base, isDraft }) {
    const { fresh } = await transport.rest<OpenedPullRequest | 'exists'>({
      operation: 'open pull request',
      route: 'POST /repos/{owner}/{repo}/pulls',
      params: { ...repositoryParams(name), title, body, head, base, draft: isDraft },
      once: true,
      errorStatuses: [403, 404, 422],
      read: (data) => openedPullRequest.parse(data),
      fromError: ({ message }) =>
        /^(Validation Failed )?A pull request already exists for /.test(message) ? 'exists' : explainDenial(message),
    });
    if (fresh) return fresh.value;
    throw new Problem('upstream_unavailable', 'GitHub returned an empty response.');
  },
});

const commitMutation = `mutation ($input: CreateCommitOnBranchInput!) {
  createCommitOnBranch(input: $input) { commit { oid } }
}`;

const committed = z.object({
  createCommitOnBranch: z.object({ commit: z.object({ oid: z.string() }).nullable() }).nullable(),
});

/** What is denied comes as an answer with an error. */
function readCommit(data: unknown, errors: PartError[]): string | null {
  const { data: read } = committed.safeParse(data);
  const oid = read?.createCommitOnBranch?.commit?.oid;
  if (oid) return oid;
  const [error] = errors;
  if (error?.type === 'STALE_DATA') return null;
  explainDenial(error?.message ?? '');
  if (errors.length > 0 && errors.every(isRejection)) throw rejected(error?.message ?? '');
  throw new MissingFields(['createCommitOnBranch'], errors);
}

/** Whether nothing was written, for a reason that none of the other problems stands for. */
const isRejection = (error: PartError): boolean =>
  error.type !== undefined &&
  !deniedErrors.has(error.type) &&
  !dependsOnSize(error) &&
  !/RATE_LIMIT|INTERNAL|UNAVAILABLE|TIMEOUT/.test(error.type);

const rejected = (message: string) =>
  new Problem('upstream_rejected', `GitHub rejected the commit: ${message.replace(/\s+/g, ' ').slice(0, 200)}`, {
    details: { upstream_status: 200 },
  });

const openedPullRequest = z
  .object({ number: z.int(), html_url: z.string(), created_at: instant, draft: z.boolean().default(false) })
  .transform(
    (wire): OpenedPullRequest => ({
      number: wire.number,
      htmlUrl: wire.html_url,
      createdAt: wire.created_at,
      isDraft: wire.draft,
    }),
  );
