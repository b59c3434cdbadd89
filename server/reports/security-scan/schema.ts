import { z } from 'zod';
import { provenance } from '../kernel/instants.ts';
import { notScannedReasons } from './files.ts';
import { OnlineRules } from './online.ts';

const SeverityName = z.enum(['critical', 'high', 'medium', 'info']);
const trait = z.boolean().meta({ description: 'false where the file was not scanned; `parse_error` states it.' });

const Finding = z
  .object({
    rule_id: z.string(),
    severity: SeverityName.meta({ description: 'info where a comment suppresses the finding.' }),
    found_as: SeverityName.meta({ description: 'The severity without such a comment.' }),
    confidence: z.enum(['high', 'medium', 'low']),
    title: z.string(),
    detail: z.string().nullable().meta({ description: 'What exactly was found here.' }),
    description: z.string(),
    fix: z.string(),
    reference: z.string(),
    file_path: z.string(),
    line: z.int().nullable().meta({ description: 'null when it is about the complete file.' }),
    job: z.string().nullable(),
    step: z.string().nullable(),
    context: z.string().nullable().meta({
      description:
        'The line, trimmed, at most 200 characters, secrets masked; null where they cannot be distinguished.',
    }),
    html_url: z.string().nullable().meta({ description: 'Link to the line on GitHub, at the scanned commit.' }),
    suppression: z
      .object({
        state: z.enum(['active', 'expired', 'without reason', 'unknown date']),
        reason: z.string().nullable(),
        until: z.string().nullable().meta({ description: 'The last day on which it holds, UTC.' }),
      })
      .nullable()
      .meta({ description: 'A comment on the line that names the rule; only an active one lowers the severity.' }),
  })
  .meta({ id: 'SecurityFinding' });

const FileResult = z.object({
  file_path: z.string(),
  findings: z.array(Finding).meta({ description: 'By line.' }),
  score: z.int().meta({
    description: '100 at best. 0 where the file was not scanned, which is never shown as clean; see `parse_error`.',
  }),
  parse_error: z.string().nullable().meta({ description: 'Why the file could not be read.' }),
  pinned_actions: trait,
  unpinned_actions: z.array(z.string()),
  has_permissions: trait,
  has_timeout: trait,
  echoes_secrets: trait,
  secrets_as_cli_args: trait,
  unquoted_dispatch_inputs: trait,
  uses_pull_request_target: trait,
});

const NotScanned = z.object({
  file_path: z.string(),
  reason: z.enum(notScannedReasons).meta({
    description:
      'file_time, file_memory: scanning the file took too much. repository_time, repository_size: the limits of all ' +
      'files together were reached, busy: files of other repositories were scanned for too long; the next request goes on.',
  }),
  detail: z.string(),
});

/** Findings in the workflow files of a repository; contract of the platform half, sections 2.13 and 5. */
export const SecurityScan = z
  .object({
    owner: z.string(),
    repo: z.string(),
    status: z
      .enum(['ok', 'no_workflows', 'unreadable'])
      .meta({ description: 'unreadable: there are workflow files, and none could be read.' }),
    repository_url: z.string().nullable().meta({ description: 'null where the repository has no page.' }),
    commit_sha: z
      .string()
      .nullable()
      .meta({ description: 'The commit that was read; null in an empty repository, and where it could not be read.' }),
    workflows_found: z.int(),
    workflows_scanned: z.int(),
    overall_score: z.int().nullable().meta({
      description: 'The mean of the files that were scanned, at most 59 with a critical finding, 79 with a high one.',
    }),
    overall_score_partial: z.boolean().meta({ description: 'true when the score leaves out files in `not_scanned`.' }),
    not_scanned: z.array(NotScanned).meta({ description: 'Files that were found and not scanned, by path.' }),
    total_findings: z.int().meta({ description: 'Suppressed ones among them, as info.' }),
    critical_count: z.int(),
    high_count: z.int(),
    medium_count: z.int(),
    info_count: z.int(),
    suppressed_count: z.int(),
    by_severity: z.object({
      critical: z.array(Finding),
      high: z.array(Finding),
      medium: z.array(Finding),
      info: z.array(Finding),
    }),
    results: z.array(FileResult).meta({ description: 'One for each workflow file, by path.' }),
    action_file: z
      .string()
      .nullable()
      .meta({ description: 'Of the action that the repository itself is; not scanned.' }),
    dependency_updates_file: z.string().nullable().meta({ description: 'Where updates of actions can be configured.' }),
    online_rules: OnlineRules,
    partial: z.boolean().meta({
      description:
        'true when files were excluded, or not scanned for their size or time, or there are too many findings: of a file 1,000 are shown, of a repository the worst 2,000.',
    }),
    ...provenance,
  })
  .meta({ id: 'SecurityScan' });
