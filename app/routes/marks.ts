import type { z } from 'zod';
import type { getMarks } from '../../server/alerts/operations/marks.ts';
import { count, figures } from '../../server/domain/quantity.ts';
import type { Annotation } from '../charts/trend-annotations.tsx';
import { amount } from './alerts/labels.ts';

export type Marks = z.output<(typeof getMarks)['output']>;

/** What happened beside the runs of a scope, as marks of a chart; an alert names its repository where the chart is of several. */
export function toAnnotations(marks: Marks | null, base: string, repository: string | null): Annotation[] {
  return [...(marks?.deployments ?? []).map(describeDeployments), ...(marks?.alerts ?? []).map(describeAlert)];

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
