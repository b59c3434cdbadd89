import { z } from 'zod';
import { alsoByToken, feature } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { repository } from '../../api/parameters.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { createIssue } from './report.ts';
import { CreatedIssue, issueBody, issueTitle } from './schema.ts';

/** Counts its limit itself: what was filed before, or is invalid, does not count. */
export const fileIssue = operation({
  method: 'POST',
  path: '/api/codehost/create-issue',
  summary: 'File an issue on GitHub in the caller’s name; exactly once with an Idempotency-Key',
  access: alsoByToken(feature('codehostIssueFromAnomaly')),
  failures: ['idempotency_conflict', 'in_progress', 'upstream_rejected'],
  headers: ['Idempotent-Replay', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'],
  input: z.object({
    ...repository,
    title: issueTitle,
    body: issueBody,
    idempotency_key: idempotencyKey
      .optional()
      .meta({ description: 'For forms; scripts send the header Idempotency-Key, which wins.' }),
  }),
  output: CreatedIssue,
  successes: {
    201: 'Created, also when this is reported again for the same Idempotency-Key',
    200: 'Deduplicated: filed by the same caller before',
  },
  run: createIssue,
});
