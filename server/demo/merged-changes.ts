import type { Instant } from '../metrics/kernel/facts.ts';
import { day } from './calendar.ts';
import { organization, repositoryPlans } from './catalogue.ts';
import type { MergedChange, WorkflowPlan } from './plans.ts';
import { textsBefore } from './workflow-texts.ts';

/** A workflow as it behaves at an instant, before or after what was changed of it. */
export function changedAt(plan: WorkflowPlan, at: Instant, now: Instant): WorkflowPlan {
  const { merged } = plan;
  if (merged === null) return plan;
  const { works, slower } = merged;
  return {
    ...plan,
    runsTwice: plan.runsTwice && !(works && at >= changeOf(merged, now)),
    seconds: slower && at >= now - slower.daysAgo * day ? Math.round(plan.seconds * slower.factor) : plan.seconds,
  };
}

/** From when on its runs are those of the changed file; the pull request was merged shortly before. */
export const changeOf = ({ daysAgo }: MergedChange, now: Instant): Instant => now - daysAgo * day;

/** A merged change with the workflow file as it was before. */
export interface SampleChange extends MergedChange {
  owner: string;
  repo: string;
  path: string;
  textBefore: string;
}

/** The recommended changes that were merged in the sample. */
export const sampleChanges: readonly SampleChange[] = repositoryPlans.flatMap(({ repo, workflows }) =>
  workflows.flatMap(({ merged, path }) => {
    const textBefore = textsBefore[path.split('/').at(-1) ?? ''];
    return merged && textBefore !== undefined ? [{ ...merged, owner: organization.login, repo, path, textBefore }] : [];
  }),
);
