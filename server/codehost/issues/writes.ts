import { z } from 'zod';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { Problem } from '../../platform/problem.ts';
import type { PlainError } from '../client/failures.ts';
import { repositoryParams } from '../client/names.ts';
import type { Transport } from '../client/transport.ts';
import { instant } from '../client/wire.ts';

/** An issue that exists on the platform. */
export interface FiledIssue {
  number: number;
  htmlUrl: string;
  createdAt: Instant;
}

/** What is written to the platform, with the caller's own token and name. */
export interface IssueWrites {
  /**
   * Creates an issue. Sent one time alone: after `upstream_unavailable` nobody knows whether it was created.
   * Throws `upstream_rejected`, `issues_disabled` and the other problems of the platform, after which it was not.
   */
  createIssue(name: RepositoryName, issue: { title: string; body: string }): Promise<FiledIssue>;
  /** The issue with this text in its body among the newest 100 of an account; null without one. Never from a copy. */
  findIssue(name: RepositoryName, of: { creator: string; text: string }): Promise<FiledIssue | null>;
}

export const createIssueWrites = (transport: Pick<Transport, 'rest'>): IssueWrites => ({
  async createIssue(name, { title, body }) {
    const request = transport.rest({
      operation: 'create issue',
      route: 'POST /repos/{owner}/{repo}/issues',
      params: { ...repositoryParams(name), title, body },
      once: true,
      read: (data) => filedIssue.parse(data),
      fromError: explainForbidden,
    });
    return given(await request.catch(orDisabled));
  },
  async findIssue(name, { creator, text }) {
    const newest = { state: 'all', sort: 'created', direction: 'desc', per_page: 100 };
    const request = transport.rest({
      operation: 'find own issue',
      route: 'GET /repos/{owner}/{repo}/issues',
      params: { ...repositoryParams(name), creator, ...newest },
      read: (data) => {
        const found = z
          .array(listedIssue)
          .parse(data)
          .find(({ body }) => body?.includes(text));
        return { issue: found ? filedIssue.parse(found) : null };
      },
    });
    return given(await request.catch(orDisabled)).issue;
  },
});

const listedIssue = z.looseObject({ body: z.string().nullish() });

const filedIssue = z
  .object({ number: z.int(), html_url: z.string(), created_at: instant })
  .transform((wire): FiledIssue => ({ number: wire.number, htmlUrl: wire.html_url, createdAt: wire.created_at }));

function given<T>({ fresh }: { fresh: { value: T } | null }): T {
  if (fresh) return fresh.value;
  throw new Problem('upstream_unavailable', 'GitHub returned an empty response.');
}

function orDisabled(error: unknown): never {
  const isGone = error instanceof Problem && error.code === 'gone';
  if (!isGone) throw error;
  const details = { upstream_status: 410 };
  throw new Problem('issues_disabled', 'The repository has its issues switched off.', { details });
}

function explainForbidden({ status, message }: PlainError): null {
  if (status !== 403) return null;
  const sentence = /archived/i.test(message)
    ? 'The repository is archived: it takes no new issues.'
    : 'GitHub did not allow filing an issue. The token needs permission to write issues.';
  throw new Problem('upstream_forbidden', sentence, { details: { upstream_status: 403 } });
}
