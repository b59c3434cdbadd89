import type { Answer, Shown } from '../api/shown-numbers.ts';

/** Headline numbers of the security of an organization, of everything that is open and of what a choice leaves. */
export function shownOrganizationSecurity(owner: string): [metric: string, Shown][] {
  const choices = ['', '&severity=critical', '&severity=low', '&age=30', '&rule=secret_scanning', '&rule=SEC-014'];
  return choices.flatMap((choice): [string, Shown][] => {
    const query = `org=${owner}${choice}`;
    const of = (key: string, field: string): [string, Shown] => {
      const value = ({ summary }: Answer) => summary[field];
      const sample = (answer: Answer) => value(answer) ?? 0;
      const isCount = field !== 'oldest_open_days';
      return [key, { query, path: `/api/codehost/org-security?${query}`, value, ...(isCount && { sample }) }];
    };
    return [
      of('org_open_security_alerts', 'open_count'),
      of('org_severe_security_alerts', 'severe_count'),
      of('org_affected_repositories', 'affected_repos'),
      of('org_oldest_security_alert', 'oldest_open_days'),
      of('org_severe_workflow_findings', 'severe_findings'),
    ];
  });
}

/** Headline numbers of security alerts, of all of them and of one source or severity; and of changes of their files. */
export function shownAlerts(query: string): [metric: string, Shown][] {
  const path = `/api/codehost/security-alerts?${query}`;
  const of = (key: string, more: string, value: Shown['value']): [string, Shown] => [
    key,
    { query: `${query}${more}`, path, value },
  ];
  const counted = (key: string, more: string, value: Shown['value']): [string, Shown] => [
    key,
    // What is not known is made of nothing.
    { query: `${query}${more}`, path, value, sample: (answer) => value(answer) ?? 0 },
  ];
  return [
    counted('open_security_alerts', '', (answer) => answer.total_open),
    of('oldest_open_security_alert', '', (answer) => answer.oldest_open_days),
    ...['critical', 'high', 'medium', 'low'].map((severity) =>
      counted('open_security_alerts', `&severity=${severity}`, ({ counts }) => counts?.[severity] ?? null),
    ),
    ...['dependabot', 'code_scanning', 'secret_scanning'].flatMap((source) => {
      const more = `&source=${source}`;
      const reported = (field: string) => (answer: Answer) => answer.sources[source][field];
      return [
        counted('open_security_alerts', more, reported('open_count')),
        counted('fixed_security_alerts', more, reported('fixed_last_90d')),
        counted('dismissed_security_alerts', more, reported('dismissed_last_90d')),
        of('mean_days_to_fix', more, reported('mttr_days')),
        of('median_days_to_fix', more, reported('mttr_median_days')),
      ];
    }),
    [
      'changes_before_failures',
      {
        query: `${query}&per_page=30`,
        path: `/api/codehost/workflow-change-outcomes?${query}&limit=30`,
        value: ({ measurement }) => measurement.value,
        sample: ({ measurement }) => measurement.sample,
      },
    ],
  ];
}
