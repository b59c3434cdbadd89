import { figures } from '../../../server/domain/quantity.ts';
import { withChoices } from '../../components/choices.ts';
import type { Filter } from '../../components/filter-bar.tsx';
import { type alertSeverities, type RuleSource, type Security, sourceNames } from './labels.ts';

type Facets = Security['facets'];

/** The parameters of an address that choose what is shown, without the organization and the page. */
export const choiceNames = ['severity', 'rule', 'age', 'state'] as const;

/** Whether an address chooses anything. */
export const hasChoice = (query: URLSearchParams): boolean => choiceNames.some((name) => query.has(name));

/** The same address without any of them. */
export const clearedHref = (query: URLSearchParams): string =>
  withChoices(query, Object.fromEntries(choiceNames.map((name) => [name, null])));

/** Choices that lead to something, or are chosen, each with the number of repositories that it leaves. */
export function facetFilters({ severity, age, source, state }: Facets, query: URLSearchParams): Filter[] {
  const rule = query.get('rule');
  const named = rule === null || isSource(rule) ? [] : [{ value: rule, label: rule }];
  const [ofSeverity, ofAge, ofState] = ['severity', 'age', 'state'].map((name) => query.get(name));
  return [
    toLinks('severity', 'Severity', ofSeverity, counted(severity, ofSeverity, severityLabel)),
    toLinks(
      'age',
      'Age',
      ofAge,
      counted(age, ofAge, (days) => `${days}+ days:`),
    ),
    toLinks('rule', 'About', rule, [...counted(source, rule, (one) => sourceNames[one]), ...named]),
    toLinks(
      'state',
      'State',
      ofState,
      counted(state, ofState, (one) => stateLabels[one]),
    ),
  ].filter(({ options }) => options.length > 1);
}

export const severityLabel = (severity: (typeof alertSeverities)[number]) =>
  severity.charAt(0).toUpperCase() + severity.slice(1);

const stateLabels = { unreadable: 'Not readable', not_enabled: 'Not enabled' };

export const isSource = (rule: string | null): rule is RuleSource =>
  rule !== null && Object.hasOwn(sourceNames, rule.toLowerCase());

/** A choice that would leave nothing is none, unless it is chosen. */
const counted = <Value extends string>(
  facet: readonly { value: Value; repos: number }[],
  chosen: string | null | undefined,
  label: (value: Value) => string,
) =>
  facet
    .filter(({ value, repos }) => repos > 0 || value === chosen)
    .map(({ value, repos }) => ({ value, label: `${label(value)} ${figures(repos)}` }));

const toLinks = (
  name: string,
  label: string,
  value: string | null | undefined,
  options: readonly { value: string; label: string }[],
) => ({
  kind: 'links' as const,
  name,
  label,
  value: value ?? '',
  options: [{ value: '', label: 'any' }, ...options],
});
