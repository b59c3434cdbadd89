import { expect } from 'vitest';
import { expectProblem } from '../api/endpoints.ts';
import type { Answered, Service } from '../support/service.ts';

/** Asks who is signed in, with these headers. */
export const me = (service: Service, headers: Record<string, string>, from?: string) =>
  service.ask('GET', '/api/auth/me', { headers, from });

/** Expects that a token was rejected, for this reason. */
export function expectRejected(answer: Answered, reason: string): void {
  expectProblem(answer, 401, 'unauthenticated');
  expect(answer.body.details).toEqual({ reason });
}
