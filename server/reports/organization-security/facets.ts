import type { Domain } from '../../api/wire.ts';
import type { Instant } from '../../metrics/kernel/facts.ts';
import { alertAge, alertSeverities } from '../../metrics/security/security-alerts.ts';
import type { SecurityFilter } from '../../metrics/security/security-filter.ts';
import type { Entry } from './entries.ts';
import { type OrganizationSecurity, ruleSources } from './schema.ts';

type Facets = Omit<Domain<typeof OrganizationSecurity>['facets'], 'state'>;

const maxRules = 50;

/** How many repositories each further choice leaves, beside the other choices. */
export function countFacets(entries: readonly Entry[], filter: SecurityFilter, now: Instant): Facets {
  const count = (choice: SecurityFilter) => countRepositories(entries.filter(({ matches }) => matches(choice)));
  const ofAnyRule = entries.filter(({ matches }) => matches({ ...filter, rule: undefined }));
  return {
    severity: alertSeverities.map((value) => ({ value, repos: count({ ...filter, severity: value }) })),
    age: (['30', '90'] as const).map((value) => ({ value, repos: count({ ...filter, age: Number(value) }) })),
    source: ruleSources.map((value) => ({ value, repos: count({ ...filter, rule: value }) })),
    rule: [...Map.groupBy(ofAnyRule, ({ rule }) => rule)]
      .map(([value, ofRule]) => describeRule(value, ofRule, now))
      .sort((one, other) => rank(one.severity) - rank(other.severity) || other.repos - one.repos)
      .filter(({ value }, place) => place < maxRules || value.toLowerCase() === filter.rule?.toLowerCase()),
  };
}

const countRepositories = (entries: readonly Entry[]) => new Set(entries.map(({ repositoryId }) => repositoryId)).size;

const severities = [...alertSeverities, 'info'] as const;
const rank = (severity: Entry['severity']) => severities.indexOf(severity);

function describeRule(value: string, entries: readonly Entry[], now: Instant): Facets['rule'][number] {
  const [worst] = entries.toSorted((one, other) => rank(one.severity) - rank(other.severity));
  const created = entries.flatMap(({ createdAt }) => createdAt ?? []);
  return {
    value,
    source: worst?.source ?? 'workflows',
    title: worst?.title ?? value,
    subject: worst?.subject ?? null,
    severity: worst?.severity ?? 'info',
    repos: countRepositories(entries),
    oldestOpenDays: created.length === 0 ? null : alertAge({ createdAt: Math.min(...created) }, now),
  };
}
