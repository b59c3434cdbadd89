import { z } from 'zod';
import { featureKeys } from '../../access/features.ts';
import { alertSeverities, alertSources } from '../../metrics/security/security-alerts.ts';
import { provenance } from '../kernel/instants.ts';
import { OnlineRules } from '../security-scan/online.ts';
import { sourceStatuses } from './alerts.ts';

const count = z.int().nullable();

const AlertCounts = z
  .object({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() })
  .meta({ id: 'AlertCounts' });

const FindingCounts = z
  .object({ critical: z.int(), high: z.int(), medium: z.int(), info: z.int() })
  .meta({ id: 'FindingCounts', description: 'Open findings, one for each place; suppressed ones are excluded.' });

const Source = z
  .object({
    status: z.enum(sourceStatuses).meta({
      description:
        'none_listed: the list of the organization has no alert of the repository, and does not tell whether the ' +
        'source is on there. not_read: left to the next answer. not_requested: another source was.',
    }),
    message: z.string().nullable(),
    open_count: count.meta({ description: 'Whatever the filter; null unless the status is ok.' }),
    truncated: z.boolean().meta({ description: 'More exist than were read.' }),
  })
  .meta({ id: 'OrganizationAlertSource' });

const Workflows = z
  .object({
    status: z.enum(['ok', 'no_workflows', 'unreadable', 'error']).meta({
      description: 'unreadable: there are workflow files, and none could be scanned. error: GitHub returned none.',
    }),
    message: z.string().nullable(),
    files_found: count,
    files_scanned: count,
    findings: FindingCounts.nullable().meta({ description: 'Those that match; null where nothing was scanned.' }),
    partial: z.boolean(),
  })
  .meta({ id: 'OrganizationWorkflowScan' });

const Alert = z
  .object({
    source: z.enum(alertSources),
    number: z.int(),
    severity: z.enum(alertSeverities),
    title: z.string(),
    subject: z.string().meta({ description: 'The package, the rule, or the kind of secret; never the secret.' }),
    html_url: z.string(),
    age_days: z.number(),
    path: z.string().nullable(),
    fix_available: z.boolean().nullable(),
    patched_version: z.string().nullable().meta({ description: 'The first version of the package without it.' }),
  })
  .meta({ id: 'OrganizationAlert' });

const Row = z.object({
  owner: z.string(),
  repo: z.string(),
  visibility: z.enum(['public', 'private', 'internal']),
  open: AlertCounts.nullable().meta({
    description: 'Open alerts that match; null where no source is known to be on, or without the feature.',
  }),
  open_count: count,
  oldest_open_days: z.number().nullable().meta({ description: 'Of the open alerts that match.' }),
  alerts: z.array(Alert).meta({ description: 'The worst three that match, of equal severity the oldest first.' }),
  sources: z
    .object({ dependabot: Source, code_scanning: Source, secret_scanning: Source })
    .nullable()
    .meta({ description: 'null without the feature for alerts.' }),
  workflows: Workflows.nullable().meta({
    description: 'null without the feature for workflow findings, and with `source`.',
  }),
  partial: z.boolean().meta({ description: 'Something of it could not be read, or not to its end.' }),
});

export const securityTables = ['repositories', 'rules'] as const;
export const securityStates = ['unreadable', 'not_enabled'] as const;
export const ruleSources = [...alertSources, 'workflows'] as const;

const listing = z.enum(['organization', 'repositories', 'error', 'not_requested']);

const repos = z.int().meta({ description: 'Repositories that match the other choices and this one.' });

const Facets = z.object({
  severity: z.array(z.object({ value: z.enum(alertSeverities), repos })),
  age: z.array(z.object({ value: z.enum(['30', '90']), repos })),
  source: z.array(z.object({ value: z.enum(ruleSources), repos })),
  state: z.array(z.object({ value: z.enum(securityStates), repos })),
  rule: z
    .array(
      z.object({
        value: z.string(),
        source: z.enum(ruleSources),
        title: z.string(),
        subject: z.string().nullable().meta({ description: 'The package, rule or kind of secret.' }),
        severity: z.enum([...alertSeverities, 'info']).meta({ description: 'The worst of it.' }),
        repos,
        oldest_open_days: z.number().nullable().meta({ description: 'null for workflow findings.' }),
      }),
    )
    .meta({ description: 'The worst 50, then those in most repositories; the chosen one in any case.' }),
});

/** The security of an organization's repositories: alerts of the platform and findings in workflow files. */
export const OrganizationSecurity = z
  .object({
    org: z.string(),
    table: z.enum(securityTables).meta({ description: 'The rows of a CSV file.' }),
    limit: z.int(),
    page: z.int(),
    pages: z.int(),
    total_repos: z.int().meta({ description: 'Repositories that the token can see and that are not archived.' }),
    archived_repos: z.int().meta({ description: 'Excluded: no alerts are available for them.' }),
    listed_repos: z.int().meta({ description: 'The pages are of these: all, or those that may match.' }),
    read_repos: z.int().meta({ description: 'Repositories of the page, before the filter.' }),
    denied_features: z.array(z.enum(featureKeys)).meta({
      description: 'Features that the caller lacks; what they show is null.',
    }),
    listing: z
      .object({
        dependabot: listing,
        code_scanning: listing,
        secret_scanning: listing,
      })
      .nullable()
      .meta({
        description:
          'organization: the alerts of all repositories are known by one list. repositories: the token may not read ' +
          'that list, so that alerts are known of the repositories of the page alone.',
      }),
    summary: z.object({
      open: AlertCounts.nullable().meta({ description: 'Open alerts that match, as far as they are known.' }),
      open_count: count,
      severe_count: count.meta({ description: 'The critical and high ones.' }),
      affected_repos: count.meta({ description: 'Repositories with one of those.' }),
      known_repos: z
        .int()
        .meta({ description: 'Repositories with a source that is known to be on: the counts are of these.' }),
      oldest_open_days: z.number().nullable(),
      at_least: z.boolean().meta({ description: 'More may be open: some alerts are not known.' }),
      findings: FindingCounts.nullable().meta({
        description: 'In the workflow files of the page, those that match; null where none could be read.',
      }),
      severe_findings: count,
      findings_at_least: z.boolean().meta({ description: 'More may be found: some files were not read.' }),
      scanned_repos: z
        .int()
        .meta({ description: 'Repositories of the page with files that were scanned, or without any.' }),
      unreadable_sources: z
        .int()
        .meta({ description: 'Sources of the page that could not be read, scans among them.' }),
      unreadable_repos: z.int(),
      not_enabled_sources: z.int(),
    }),
    facets: Facets,
    repos: z.array(Row).meta({
      description: 'Those of the page that match: the worst first, with a rule or an age those open for longest.',
    }),
    online_rules: OnlineRules.nullable(),
    needs_scope: z.boolean().meta({ description: 'Some source is refused to the token.' }),
    partial: z.boolean(),
    ...provenance,
  })
  .meta({ id: 'OrganizationSecurity' });
