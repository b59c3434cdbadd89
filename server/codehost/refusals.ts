import { Problem } from '../platform/problem.ts';

/** Whether the platform gave up, so that a smaller question is worth asking. */
export const isUnavailable = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'upstream_unavailable';

/** Errors of a GraphQL part that say the token cannot see it; all others are worth asking again. */
export const settledErrors: ReadonlySet<string> = new Set(['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_SCOPES']);

/** The error of a list whose `after` the platform does not know (any more): it will not know it the next time either. */
export const unknownPlace = 'INVALID_CURSOR_ARGUMENTS';
