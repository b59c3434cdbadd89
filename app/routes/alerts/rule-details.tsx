import { counted, figures } from '../../../server/domain/quantity.ts';
import { Moment } from '../../components/moment.tsx';
import { isDigest, type Rule } from './labels.ts';
import { ruleLimits, ruleSentence } from './sentence.ts';

/** A rule in one sentence, what its value is made of and what limits it; folded. */
export function RuleDetails({ rule, mayChange }: { rule: Rule; mayChange: boolean }) {
  const { last_evaluated_at: at, last_sample: sample } = rule;
  return (
    <details className="source">
      <summary>Details</summary>
      <p>{ruleSentence(rule)}</p>
      {at === null || isDigest(rule) ? null : (
        <p>
          {sample === null ? null : `Sample ${figures(sample)}. `}
          Evaluated <Moment at={at} />. {daysReached(rule)}
        </p>
      )}
      <p>
        {ruleLimits(rule)}
        {rule.destination_hidden ? ' The destination is visible to administrators.' : null}
        {mayChange && rule.updated_by !== null ? ` Changed by ${rule.updated_by}.` : null}
      </p>
    </details>
  );
}

/** How often the threshold was reached lately; empty before the first value. */
export function daysReached({ highest_by_day: values, threshold }: Pick<Rule, 'highest_by_day' | 'threshold'>): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '';
  const reached = known.filter((value) => value >= threshold).length;
  return `Threshold reached on ${figures(reached)} of the last ${counted(known.length, 'days')}.`;
}
