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

/** Choices that lead to something, each with the number of repositories that it leaves. */
export function facetFilters({ severity, age, source, state }: Facets, query: URLSearchParams): Filter[] {
  const rule = query.get('rule');
  const named = rule === null || isSource(rule) ? [] : [{ value: rule, label: rule }];
  return [
    toLinks('severity', 'Severity', query.get('severity'), 'any', severity.map(counted(severityLabel))),
    toLinks('age', 'Age', query.get('age'), 'any', age.map(counted((days) => `${days}+ days:`))),
    toLinks('rule', 'About', rule, 'any', [...source.map(counted((one) => sourceNames[one])), ...named]),
    toLinks('state', 'State', query.get('state'), 'any', state.map(counted((one) => stateLabels[one]))),
  ];
}

export const severityLabel = (severity: (typeof alertSeverities)[number]) =>
  severity.charAt(0).toUpperCase() + severity.slice(1);

const stateLabels = { unreadable: 'Not readable', not_enabled: 'Not enabled' };

export const isSource = (rule: string | null): rule is RuleSource =>
  rule !== null && Object.hasOwn(sourceNames, rule.toLowerCase());

const counted =
  <Value extends string>(label: (value: Value) => string) =>
  ({ value, repos }: { value: Value; repos: number }) => ({ value, label: `${label(value)} ${figures(repos)}` });

function toLinks(
  name: string,
  label: string,
  value: string | null,
  all: string,
  options: readonly { value: string; label: string }[],
): Filter {
  return { kind: 'links', name, label, value: value ?? '', options: [{ value: '', label: all }, ...options] };
}
