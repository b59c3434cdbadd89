import { figures } from '../../../server/domain/quantity.ts';
import type { Filter } from '../../components/filter-bar.tsx';
import { isSource, severityLabel } from '../security/choices.ts';
import { alertSeverities, alertSources, sourceNames } from '../security/labels.ts';
import type { Alerts, Scan } from './security.tsx';

/** Which alerts and findings of a repository are shown; null for all. */
export interface SecurityChoices {
  severity: string | null;
  /** An advisory, a rule, or a whole source. */
  rule: string | null;
  /** Days for which an alert has been open, and more. */
  age: string | null;
}

export function readChoices(search: string): SecurityChoices {
  const query = new URLSearchParams(search);
  return { severity: query.get('severity'), rule: query.get('rule'), age: query.get('age') };
}

export const isFiltered = (choices: SecurityChoices): boolean => Object.values(choices).some(Boolean);

/** The choices; each source with how many open alerts it has, where that is known: the verdict below has the severities. */
export function choiceFilters({ severity, rule, age }: SecurityChoices, alerts: Alerts | null): Filter[] {
  const counted = (label: string, open: number | null | undefined) =>
    open === null || open === undefined ? label : `${label} ${figures(open)}`;
  const sources = alertSources.map((value) => ({
    value,
    label: counted(sourceNames[value], alerts?.sources[value].open_count),
  }));
  return [
    {
      kind: 'links',
      name: 'severity',
      label: 'Severity',
      value: severity,
      options: [
        { value: '', label: 'any' },
        ...alertSeverities.map((value) => ({ value, label: severityLabel(value) })),
      ],
    },
    {
      kind: 'links',
      name: 'age',
      label: 'Age',
      value: age,
      options: [
        { value: '', label: 'any' },
        { value: '30', label: '30+ days' },
        { value: '90', label: '90+ days' },
      ],
    },
    {
      kind: 'links',
      name: 'rule',
      label: 'About',
      value: rule,
      options: [
        { value: '', label: 'any' },
        ...sources,
        { value: 'workflows', label: sourceNames.workflows },
        ...(rule === null || isSource(rule) ? [] : [{ value: rule, label: rule }]),
      ],
    },
  ];
}

/** The scan with the findings that are chosen. A finding has no age, and one that a comment suppresses is not open. */
export function filterScan(scan: Scan, choices: SecurityChoices): Scan {
  if (!isFiltered(choices)) return scan;
  return {
    ...scan,
    results: scan.results.map((file) => ({
      ...file,
      findings: file.findings.filter((finding) => isChosen(finding, choices)),
    })),
  };
}

type Finding = Scan['results'][number]['findings'][number];

function isChosen({ severity: found, rule_id: id, suppression }: Finding, { severity, rule, age }: SecurityChoices) {
  if (age !== null || suppression?.state === 'active') return false;
  if (severity !== null && found !== severity) return false;
  return rule === null || ['workflows', id.toLowerCase()].includes(rule.toLowerCase());
}
