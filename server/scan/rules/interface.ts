import { type Hit, type Rule, rule } from '../rule.ts';
import { settingsIn, textIn } from '../workflow.ts';

const untyped = rule({
  id: 'SEC-009',
  severity: 'info',
  confidence: 'high',
  title: 'Workflow input without a type',
  description: 'Without a type the input is any text, and nothing validates it before steps use it.',
  fix: 'Add `type:`, such as `choice` with its `options` where there are only a few values.',
  reference: 'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax',
  *find({ triggers }): Iterable<Hit> {
    for (const { event, filter } of triggers) {
      if (event !== 'workflow_dispatch') continue;
      for (const { key, value } of settingsIn(filter, 'inputs'))
        if (textIn(value, 'type') === null) yield { offset: key.offset, detail: `The input is “${key.value}”.` };
    }
  },
});

const inherited = rule({
  id: 'SEC-019',
  severity: 'medium',
  confidence: 'high',
  title: 'Secrets inherited by a reusable workflow',
  description:
    '`secrets: inherit` passes every secret of the repository and the organization, not only those the called ' +
    'workflow needs.',
  fix: 'Pass each secret it needs by name.',
  reference: 'https://docs.github.com/en/actions/how-tos/reuse-automations/reuse-workflows',
  *find({ jobs }): Iterable<Hit> {
    for (const job of jobs) {
      const { all } = job.secrets;
      if (job.uses === null || all?.value !== 'inherit') continue;
      const isOwn = /^[.$]\//.test(job.uses.value);
      yield { offset: all.offset, job, ...(isOwn ? { confidence: 'medium' } : {}) };
    }
  },
});

export const interfaceRules: readonly Rule[] = [untyped, inherited];
