import { z } from 'zod';
import { alertSeverities, alertSources } from '../../metrics/security/security-alerts.ts';
import { instant, provenance } from '../kernel/instants.ts';

const Source = z.object({
  status: z.enum(['ok', 'not_enabled', 'forbidden', 'error']),
  message: z.string().nullable().meta({ description: 'Why it is not ok, or what is missing though it is.' }),
  open_count: z.int().nullable().meta({ description: 'null unless the status is ok: unread is not clean.' }),
  fixed_last_90d: z.int().nullable(),
  dismissed_last_90d: z.int().nullable().meta({ description: 'Closed without a fix, false positives among them.' }),
  mttr_days: z.number().nullable().meta({ description: 'Mean time from creation to fix of `fixed_last_90d`.' }),
  mttr_median_days: z.number().nullable(),
  truncated: z.boolean().meta({ description: 'More are open than were read: `open_count` is a minimum.' }),
  ended_truncated: z.boolean().meta({
    description: 'More were fixed or dismissed than were read: their counts are minimums, and times are of those read.',
  }),
});

const Alert = z.object({
  source: z.enum(alertSources),
  number: z.int(),
  severity: z.enum(alertSeverities),
  title: z.string(),
  subject: z.string().meta({ description: 'The package, the rule, or the kind of secret; never the secret.' }),
  advisory: z.string().nullable().meta({ description: 'Of dependencies: the id of the advisory, GHSA-….' }),
  html_url: z.string(),
  created_at: instant,
  age_days: z.number(),
  cvss: z.number().nullable(),
  epss: z.number().nullable().meta({ description: 'Probability of exploitation within 30 days, 0 to 1.' }),
  ecosystem: z.string().nullable(),
  fix_available: z.boolean().nullable().meta({ description: 'null where GitHub does not report it.' }),
  patched_version: z.string().nullable().meta({ description: 'The first version of the package without it.' }),
  path: z.string().nullable(),
  publicly_leaked: z.boolean().nullable(),
  tool: z.string().nullable(),
});

/** Security alerts of a repository by source; contract of the platform half, section 2.27. */
export const SecurityAlertsReport = z
  .object({
    repo: z.string(),
    sources: z.object({ dependabot: Source, code_scanning: Source, secret_scanning: Source }),
    counts: z
      .object({ critical: z.int(), high: z.int(), medium: z.int(), low: z.int() })
      .nullable()
      .meta({ description: 'Of all open alerts that were read; null when no source could be.' }),
    total_open: z.int().nullable().meta({
      description: 'Open alerts that were read; null when no source could be. 0 means none only if not `partial`.',
    }),
    oldest_open_days: z.number().nullable(),
    matching_open: z
      .int()
      .nullable()
      .meta({ description: 'Those of `total_open` that `severity`, `rule` and `age` choose.' }),
    alerts: z.array(Alert).meta({ description: 'The worst 50 of them, of equal severity the oldest first.' }),
    any_readable: z.boolean().meta({ description: 'false when not one source could be read.' }),
    partial: z.boolean().meta({ description: 'Some source is not ok, or has more than was read.' }),
    needs_scope: z.boolean().meta({ description: 'Some source is denied to the token.' }),
    ...provenance,
  })
  .meta({ id: 'SecurityAlertsReport' });
