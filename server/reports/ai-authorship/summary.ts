import { type Context, changedBy } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { type AuthorshipClass, authorshipNote } from '../../metrics/ai-authorship/classes.ts';
import { measureShares } from '../../metrics/ai-authorship/shares.ts';
import type { AiAuthorshipSettings } from '../../settings/ai-authorship.ts';
import { toCoverage } from '../kernel/coverage.ts';
import type { AuthorshipSummary } from './schema.ts';
import { type AuthorshipInput, type MarksReading, readMarks } from './source.ts';

/** What share of the pull requests of some months carries a mark of an AI agent. */
export async function authorshipSummary(
  input: AuthorshipInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Domain<typeof AuthorshipSummary>> {
  const reading = await readMarks(input, settings, context);
  await noteLook(input, reading, context);
  const { classes, agents, marks, branchOnly, sensitivity } = measureShares(reading.groups, reading.rest);
  const prsOf = (one: AuthorshipClass) => classes.find((row) => row.class === one)?.prs ?? null;
  return {
    classes: classes.map(({ interval, ...one }) => ({
      ...one,
      label: classLabels[one.class],
      agent: null,
      shareInterval: interval,
    })),
    agents,
    marks,
    branchOnly,
    unread: prsOf('unread'),
    automation: prsOf('automation'),
    sensitivity,
    ...describeReading(reading),
  };
}

/** Who looks at such figures is written down. */
async function noteLook(
  input: AuthorshipInput,
  { months: { from, to } }: MarksReading,
  context: Context,
): Promise<void> {
  if (context.isDemo) return;
  const { actor, requestId, now } = await changedBy(context);
  const entry = {
    category: 'access' as const,
    action: 'ai_authorship.viewed',
    actor,
    targetType: input.org === undefined ? 'repository' : 'organization',
    target: input.org ?? `${input.owner}/${input.repo}`,
    before: null,
    after: { from, to },
    requestId,
    note: null,
  };
  await context.store.audit.append(entry, now);
}

/** What every answer about marks says of itself. */
export const describeReading = ({ months, calendar, now, visible, read, gaps, tableVersion, asOf }: MarksReading) => ({
  coverage: toCoverage({ read, expected: visible, reasons: gaps }),
  tableVersion,
  note: authorshipNote,
  window: { from: months.from, to: months.to, timezone: calendar.timezone },
  asOf,
  generatedAt: now,
  dataSource: 'database' as const,
});

export const classLabels: Readonly<Record<AuthorshipClass, string>> = {
  automation: 'Automation',
  agent_authored: 'Agent-authored',
  ai_assisted: 'AI-assisted',
  unmarked: 'No mark',
  unread: 'Not read',
};
