import type { z } from 'zod';
import type { getMarks } from '../../server/alerts/operations/marks.ts';
import { count, figures } from '../../server/domain/quantity.ts';
import type { getWorkflowChanges } from '../../server/reports/workflow-files/operations.ts';
import type { Annotation } from '../charts/trend-annotations.tsx';
import { amount } from './alerts/labels.ts';

type Stored = z.output<(typeof getMarks)['output']>;
export type WorkflowChange = z.output<(typeof getWorkflowChanges)['output']>[number];

/** What happened beside the runs of a scope. */
export interface Marks extends Stored {
  changes: readonly WorkflowChange[];
}

/** The same as marks of a chart; an alert names its repository where the chart is of several. */
export function toAnnotations(marks: Marks | null, base: string, repository: string | null): Annotation[] {
  if (marks === null) return [];
  const { changes, deployments, alerts } = marks;
  return [
    ...changes.map(describeChange),
    ...(deployments ?? []).map(describeDeployments),
    ...(alerts ?? []).map(describeAlert),
  ];

  function describeAlert({ repo, label, value, threshold, unit, ...alert }: FiredAlert): Annotation {
    const name = repository === null && repo !== null ? `${repo.slice(repo.indexOf('/') + 1)}: ` : '';
    return {
      at: alert.fired_at,
      kind: 'alert',
      label: `${name}${label} ${amount(value, unit)}, threshold ${amount(threshold, unit)}`,
      href: `${base}${alert.explained_at}`,
    };
  }
}

const describeChange = ({ message, sha, committed_at: at, html_url: url }: WorkflowChange): Annotation => ({
  at,
  kind: 'change',
  label: `${sha.slice(0, 7)} ${message}`,
  ...(url !== '#' && { href: url }),
});

type FiredAlert = NonNullable<Marks['alerts']>[number];

const describeDeployments = ({
  first_at: at,
  environment,
  deployments: some,
  failed,
}: NonNullable<Marks['deployments']>[number]): Annotation => ({
  at,
  kind: 'deployment',
  label: `${count(some, 'deployment')} to ${environment}${failed ? `, ${figures(failed)} failed` : ''}`,
});
