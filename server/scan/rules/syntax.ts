import { type Hit, type Rule, rule } from '../rule.ts';
import type { Workflow } from '../workflow.ts';

const knownKeys = new Set(['name', 'run-name', 'on', 'permissions', 'env', 'defaults', 'concurrency', 'jobs']);

const unreadable = rule({
  id: 'SEC-042',
  severity: 'info',
  confidence: 'high',
  title: 'Invalid workflow file',
  description: 'GitHub does not run invalid workflow files, and this file could not be fully checked.',
  fix: 'Fix the syntax; remove or rename unknown keys.',
  reference: 'https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax',
  *find({ problems, root }: Workflow): Iterable<Hit> {
    for (const { offset, message } of problems) yield { offset, detail: `Syntax error: ${message}.` };
    if (root === null && problems.length === 0) yield { offset: 0, detail: 'It is empty.' };
    for (const { key } of root?.entries ?? [])
      if (!knownKeys.has(key.value))
        yield { offset: key.offset, detail: `“${key.value.slice(0, 60)}” is not a workflow key.` };
  },
});

export const syntaxRules: readonly Rule[] = [unreadable];
