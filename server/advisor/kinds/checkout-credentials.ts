import { getAction } from '../../scan/actions.ts';
import { runsFiles } from '../../scan/checkouts.ts';
import { listCommands, runsUnread } from '../../scan/places.ts';
import { getRule } from '../../scan/rules.ts';
import { formatLine } from '../../scan/shell.ts';
import type { Job, Step, Workflow } from '../../scan/workflow.ts';
import { kind, withoutHistory } from '../kind.ts';
import { reasonsWhere } from '../reasons.ts';
import { hasUsualSteps, stepPath } from '../traits.ts';

/** Contract of the advisor, section 2.15. */
export const checkoutCredentials = kind({
  id: 'ADV-22',
  title: 'Do not keep checkout credentials',
  certainty: 'risk',
  rules: ['SEC-018'],
  definition: 'The checkout does not leave the token in the workspace for later steps.',
  *find({ workflow, around }) {
    for (const { job, step } of getRule('SEC-018').find(workflow, around)) {
      const path = job && step && stepPath(job, step);
      if (!path) continue;
      yield {
        anchor: [...path, 'with', 'persist-credentials'],
        offset: step.uses?.offset ?? step.offset,
        ...withoutHistory(`Every later step of “${job.id}” can read the token of the checkout.`),
        reasons: reasonsWhere({ needs_credentials: !hasUsualSteps(job) || mayNeedCredentials(workflow, job, step) }),
        changes: [{ do: 'insert', at: [...path, 'with'], key: 'persist-credentials', value: false, after: [] }],
        counterfactual: null,
      };
    }
  },
});

/** Whether a later step speaks to the remote, or runs something that may. */
const mayNeedCredentials = (workflow: Workflow, { steps }: Job, checkout: Step): boolean =>
  steps
    .filter(({ number }) => number > checkout.number)
    .some(
      (step) =>
        (step.uses !== null && !/^(actions|github)\//.test(getAction(step) ?? '')) ||
        runsUnread(workflow, step) ||
        listCommands(workflow, step).some((command) => runsFiles(command) || remote.test(formatLine(command))),
    );

/** Git with a remote, and tools that may publish. */
const remote =
  /^git( -\S+( [^-\s]\S*)?)* (push|fetch|pull|clone|submodule|lfs|ls-remote|remote)\b|\b(release|publish|deploy|version|docs|gh-pages|semantic-release)\b/;
