import { z } from 'zod';
import { agentEffects, agentKinds } from '../../metrics/ai-authorship/agents.ts';
import { authorshipClasses, markKinds } from '../../metrics/ai-authorship/classes.ts';
import { Coverage } from '../kernel/coverage.ts';
import { instant, provenance } from '../kernel/instants.ts';
import { marksGaps } from './source.ts';

const count = z.int().nullable();
const interval = z.object({ low: z.int(), high: z.int() }).nullable().meta({ description: 'Wilson, 95 %.' });
const suppressed = z.boolean().meta({
  description:
    'Hidden: of fewer than 10 pull requests or 5 people in a month of the window, or because another hidden number would follow from it. Never 0.',
});
const share = z.int().nullable().meta({
  description: 'Percent of pull requests that are no automation, those that were not read included.',
});
const note = z.string().meta({ description: 'Stands beside every share.' });
const authorshipCoverage = Coverage.extend({
  reasons: z.array(z.enum(marksGaps)),
}).meta({
  description:
    'Counts repositories. repositories_unread: not read to their end yet, and not counted. reading_underway, other_table: some are being read, or read anew by a changed table. month_begun: the last month was not read to its end. before_look_back: older than 400 days. before_row: pull requests match a row of the table that does not count for their date, in one repository and month 10 or more, of bots or of 5 people or more.',
});

/** What every answer about marks says of itself. */
export const common = {
  coverage: authorshipCoverage,
  table_version: z.string(),
  note,
  window: z.object({ from: z.string(), to: z.string(), timezone: z.string() }),
  as_of: instant.nullable(),
  ...provenance,
};

/** What share of pull requests carries a mark; contract of the three answers, section 3.8. */
export const AuthorshipSummary = z
  .object({
    classes: z.array(
      z.object({
        class: z.enum(authorshipClasses),
        label: z.string(),
        agent: z.string().nullable(),
        prs: count,
        share_pct: share,
        share_interval: interval,
        authors_floor_met: z.boolean().meta({ description: 'At least 5 people wrote them; false where it is hidden.' }),
        suppressed,
      }),
    ),
    agents: z
      .array(z.object({ agent: z.string(), prs: count, share_pct: share, suppressed }))
      .meta({ description: 'Of agent-authored pull requests.' }),
    marks: z.array(z.object({ kind: z.enum(markKinds), prs: count })),
    branch_only: count.meta({ description: 'A head branch as agents name them and nothing else: no mark.' }),
    unread: count,
    automation: count,
    sensitivity: z.object({
      with_branch_only_pct: share.meta({ description: 'The marked share if branch names counted.' }),
      records_only_pct: share.meta({ description: 'The marked share without labels and branches.' }),
    }),
    ...common,
  })
  .meta({ id: 'AuthorshipSummary' });

const byClass = <Value extends z.ZodType>(value: Value) =>
  z.object({ agent_authored: value, ai_assisted: value, unmarked: value, unread: value });

export const AuthorshipTrend = z
  .object({
    months: z.array(
      z.object({
        month: z.string(),
        shares: byClass(share),
        interval: byClass(interval),
        suppressed: z.boolean().meta({ description: 'Whether any of its shares is hidden.' }),
        partial: z.boolean().meta({ description: 'It was not read to its end, or is beyond 400 days.' }),
      }),
    ),
    markers: z
      .array(
        z.object({
          at: z.string(),
          kind: z.enum(['table_change', 'policy', 'first_mark']),
          text: z.string(),
        }),
      )
      .meta({
        description:
          'What happened to the marks themselves since the first day of the window, by day. A change of the agents that come with a version of this service is not among them.',
      }),
    ...common,
  })
  .meta({ id: 'AuthorshipTrend' });

export const AgentTable = z
  .object({
    agents: z.array(
      z.object({
        agent: z.string(),
        effect: z.enum(agentEffects),
        kind: z.enum(agentKinds),
        value: z.string(),
        valid_from: z.string().nullable(),
        valid_to: z.string().nullable(),
        seen: z.string(),
        confidence: z.enum(['confirmed', 'single_source']),
        source: z.string(),
        own: z.boolean(),
      }),
    ),
    table_version: z.string(),
    note,
    generated_at: instant,
  })
  .meta({ id: 'AgentTable' });
