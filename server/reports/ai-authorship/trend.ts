import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { measureShares, type Share } from '../../metrics/ai-authorship/shares.ts';
import type { AiAuthorshipSettings } from '../../settings/ai-authorship.ts';
import { listMarkers } from './markers.ts';
import type { AuthorshipTrend } from './schema.ts';
import { type AuthorshipInput, readMarks } from './source.ts';
import { describeReading } from './summary.ts';

/** The same shares month by month, each with its own floors. */
export async function authorshipTrend(
  input: AuthorshipInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Domain<typeof AuthorshipTrend>> {
  const reading = await readMarks(input, settings, context);
  const months = reading.months.all.map((month) => {
    const ofMonth = (one: { month: string }) => one.month === month;
    return { month, classes: measureShares(reading.groups.filter(ofMonth), reading.rest.filter(ofMonth)).classes };
  });
  return {
    months: months.map(({ month, classes }) => {
      const shared = classes.filter((one) => one.class !== 'automation');
      return {
        month,
        shares: byClass(shared, ({ sharePct }) => sharePct),
        interval: byClass(shared, ({ interval }) => interval),
        suppressed: shared.some(({ suppressed }) => suppressed),
        partial: reading.partialMonths.has(month),
      };
    }),
    markers: await listMarkers(months, reading, context),
    ...describeReading(reading),
  };
}

function byClass<Value>(classes: ReturnType<typeof measureShares>['classes'], pick: (share: Share) => Value) {
  const of = (key: string) => {
    const found = classes.find((one) => one.class === key);
    if (!found) throw new Error(`No share of ${key}`);
    return pick(found);
  };
  return {
    agentAuthored: of('agent_authored'),
    aiAssisted: of('ai_assisted'),
    unmarked: of('unmarked'),
    unread: of('unread'),
  };
}
