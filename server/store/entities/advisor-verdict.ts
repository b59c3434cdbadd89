import { defineEntity, p } from '@mikro-orm/core';
import type { ProposedChange } from '../../advisor/verdict/proposed.ts';
import type { Verdict, VerdictState } from '../../advisor/verdict/verdict.ts';
import { AdvisorPullRequest } from './advisor-pull-request.ts';
import { Repository } from './repository.ts';
import { instant } from './types.ts';

/**
 * What came of a recommended change that was merged; by the recommendation, of its newest pull request or commit. A decided
 * one of an earlier merge stays, with the instant of that merge behind its id.
 */
export const AdvisorVerdict = defineEntity({
  name: 'AdvisorVerdict',
  tableName: 'advisor_verdicts',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    id: p.text().primary(),
    /** null of a change that somebody made without a pull request from here. */
    operationId: () =>
      p.manyToOne(AdvisorPullRequest).mapToPk().joinColumn('operation_id').deleteRule('cascade').strictNullable(),
    /** The commit of such a change; null of others. */
    commit: p.text().strictNullable(),
    state: p.text().$type<VerdictState>(),
    /** null when it is not looked at any more. */
    nextLook: instant().strictNullable(),
    change: p.json<ProposedChange>(),
    /** With the sums of the days before. */
    verdict: p.json<Verdict>(),
    updatedAt: instant(),
  },
  indexes: [{ name: 'advisor_verdicts_by_next_look', properties: ['nextLook'] }],
});
