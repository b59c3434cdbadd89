import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Freshness } from '../client/client.ts';
import { MissingFields } from '../client/failures.ts';
import { rateLimitCost, requestAll } from '../client/graphql-pages.ts';
import { nameKey, repositoryParams } from '../client/names.ts';
import type { Reading } from '../client/reader.ts';
import { type DeliveryContext, repositoryIn, repositoryNameField, repositoryVariables } from '../delivery/context.ts';

export interface RequiredCheckReads {
  /**
   * Names of the checks that rules and the protection of the default branch require of a pull request; null where a
   * rule requires what it does not name. Two requests, cached for six hours.
   */
  requiredChecks(name: RepositoryName, branch: string): Promise<{ names: string[] | null } & Freshness>;
}

/** Reads what must have passed before a pull request can be merged. */
export const createRequiredChecks = (context: DeliveryContext): RequiredCheckReads => ({
  async requiredChecks(name, branch) {
    const [byRules, byProtection] = await Promise.all([
      context.reader.read(rulesReading(name, branch)),
      context.reader.remember({ key: `protection ${nameKey(name)}`, freshMs: () => freshMs }, () =>
        requestProtection(context, name),
      ),
    ]);
    const names = byRules.value && [...new Set([...byRules.value, ...byProtection.value])];
    const isOlder = byRules.asOf < byProtection.asOf;
    return { names, stale: byRules.stale || byProtection.stale, asOf: (isOlder ? byRules : byProtection).asOf };
  },
});

const freshMs = 6 * 3_600_000;
/** A denied answer is not requested again at every view. */
const deniedMs = 3_600_000;
const rulesPerPage = 100;

const rulesReading = (name: RepositoryName, branch: string): Reading<string[] | null> => ({
  operation: 'rules of a branch',
  route: 'GET /repos/{owner}/{repo}/rules/branches/{branch}',
  params: { ...repositoryParams(name), branch, per_page: rulesPerPage },
  part: branch,
  repository: name,
  read(data) {
    const rules = rulesSchema.parse(data);
    const isUnnamed = rules.length >= rulesPerPage || rules.some(({ type }) => type === 'workflows');
    return isUnnamed ? null : rules.flatMap(({ type, parameters }) => (type === checks ? contextsIn(parameters) : []));
  },
  freshMs: () => freshMs,
  errorTtlMs: deniedMs,
  staleIfError: false,
});

const checks = 'required_status_checks';
const rulesSchema = z.array(z.object({ type: z.string(), parameters: z.unknown().optional() }));
const contextsIn = (parameters: unknown) =>
  z
    .object({ required_status_checks: z.array(z.object({ context: z.string() })) })
    .parse(parameters)
    .required_status_checks.map(({ context }) => context);

/** Of the older kind of protection; null for a branch without one. */
const protectionSchema = {
  defaultBranchRef: z
    .object({ refUpdateRule: z.object({ requiredStatusCheckContexts: z.array(z.string()).nullish() }).nullable() })
    .nullable(),
};

function requestProtection(context: DeliveryContext, name: RepositoryName): Promise<string[]> {
  const inRepository = repositoryIn(context, name, protectionSchema);
  return requestAll(context.transport, {
    operation: 'protection of the default branch',
    query: protectionQuery,
    variables: repositoryVariables(name),
    read(data, errors) {
      const { defaultBranchRef } = inRepository(data, errors);
      if (errors.length > 0) throw new MissingFields(['repository.defaultBranchRef.refUpdateRule'], errors);
      return defaultBranchRef?.refUpdateRule?.requiredStatusCheckContexts ?? [];
    },
  });
}

const protectionQuery = `
query BranchProtection($owner: String!, $name: String!) {
  ${rateLimitCost}
  repository(owner: $owner, name: $name) {
    ${repositoryNameField}
    defaultBranchRef { refUpdateRule { requiredStatusCheckContexts } }
  }
}`;
