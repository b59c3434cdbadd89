import {
  changesBeforeFailures,
  type FailuresAfter,
  type JudgedChange,
} from '../../metrics/delivery/failing-changes.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { readChangeOutcomes, type WorkflowFileCommit } from './outcomes.ts';

/** The changes from which on runs failed, among those of which it is known; of the newest `per_page` commits. */
export const workflowChangeExplanation: Explanation = {
  key: changesBeforeFailures.key,
  feature: 'auditTrail',
  needs: ['owner', 'repo'],
  async explain({ owner = '', repo = '', per_page: limit = 30 }, context, reply) {
    const { judged, partial, asOf, source } = await readChangeOutcomes({ owner, repo, limit }, context, reply);
    return explainMetric(changesBeforeFailures, judged, {
      window: null,
      partial,
      asOf,
      source: source === 'kept' ? 'mixed' : 'live',
      item: changeItem,
    });
  },
};

const changeItem = ({ change, failures }: JudgedChange<WorkflowFileCommit>) => ({
  label: `${change.sha.slice(0, 7)} ${change.message}`,
  url: change.htmlUrl,
  at: change.committedAt,
  value: null,
  note: failures.length > 0 ? failures.map(formatFailure).join('; ') : null,
});

const formatFailure = ({ path, firstFailed: first, passedBefore: before, failures }: FailuresAfter) =>
  `${path}: ${failures} runs in a row failed from run ${first.runNumber} on, run ${before.runNumber} had passed`;
