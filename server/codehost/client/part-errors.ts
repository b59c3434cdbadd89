import { Problem } from '../../platform/problem.ts';

/** Whether the platform did not give an answer that can be used. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'upstream_unavailable';

/** The platform gave up on a request, for its size or for the moment: a smaller one is worth sending. */
export class OverloadProblem extends Problem {}

/** Why a GraphQL answer lacks something. */
interface GraphqlError {
  type?: string;
  message?: string;
}

/** Whether an error depends on how much was requested. All others come again for any size. */
export const dependsOnSize = ({ type, message = '' }: GraphqlError): boolean =>
  // Of others the message counts only where there is no type: some quote names, such as that of a repository `timeouts`.
  gaveUp.test(message) || (type === undefined ? overload.test(message) : sizeErrors.has(type));

const gaveUp = /something went wrong while executing your query/i;
const overload = /timed? ?out|in time/i;

const sizeErrors: ReadonlySet<string> = new Set(['RESOURCE_LIMITS_EXCEEDED', 'MAX_NODE_LIMIT_EXCEEDED']);

/** Errors of a GraphQL part that mean the token cannot see it. */
export const deniedErrors: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_SCOPES']);

/** The error of a list whose `after` the platform does not know (any more): it will not know it the next time either. */
export const unknownPlace = 'INVALID_CURSOR_ARGUMENTS';
