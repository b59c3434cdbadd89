import type { Submitted } from '../../components/form.tsx';
import { Suggestions } from '../../components/options.tsx';
import { Section } from '../../components/panel.tsx';
import { WhenReady } from '../../components/skeleton.tsx';
import type { Route } from '../+types/alerts';
import { backTestCsvHref } from './form-values.ts';
import { NewRule, scopeListId } from './new-rule.tsx';
import { type Trial, TrialResult } from './trial.tsx';

type Props = Pick<Route.ComponentProps['loaderData'], 'fields' | 'metrics' | 'endpoints' | 'names'> &
  Pick<Route.ComponentProps, 'actionData'>;

/** The form of a new rule, with its back-test when that was requested. */
export function NewRuleSection({ fields, metrics, endpoints, names, actionData }: Props) {
  const isOwn = ['create', 'try'].includes(actionData?.submitted.intent ?? 'create');
  const rejected: Submitted | null = isOwn ? (actionData?.rejected ?? null) : null;
  const tried = actionData?.done?.intent === 'try' ? (actionData.done.result as Trial) : null;
  return (
    <Section title="New rule" id="new">
      {tried ? <TrialResult data={tried} csvHref={backTestCsvHref(actionData?.submitted ?? {})} /> : null}
      <NewRule
        fields={fields.create}
        metrics={metrics}
        endpoints={endpoints}
        initial={isOwn ? (actionData?.submitted ?? null) : null}
        rejected={rejected}
      />
      <WhenReady data={names} fallback={null}>
        {(known) => <Suggestions id={scopeListId} list={getScopes(known)} />}
      </WhenReady>
    </Section>
  );
}

/** Repositories and their owners. */
const getScopes = (names: readonly string[]): string[] =>
  [...new Set([...names.map((name) => name.slice(0, name.indexOf('/'))), ...names])].sort();
