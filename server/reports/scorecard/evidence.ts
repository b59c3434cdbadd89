import { snakeCase } from '../../domain/wire.ts';
import { compositeHealth } from '../../metrics/delivery/health-score.ts';
import { metric } from '../../metrics/kernel/metric.ts';
import type { Tier } from '../../metrics/kernel/tiers.ts';
import { teamCalendar } from '../kernel/calendar.ts';
import { type Explanation, explainMetric } from '../kernel/evidence.ts';
import { noteListing } from '../kernel/notes.ts';
import { repositoryFacts } from '../repositories/facts.ts';
import { type Row, scoreFacts } from './row.ts';

type Part = { is: 'delivery'; tier: Tier | null; row: Row } | { is: 'knowledge'; busFactor: number | null; row: Row };

const compositeScore = metric<Part>({
  key: 'composite_score',
  label: 'Health score',
  unit: 'score',
  better: 'higher',
  source: 'parts of the score',
  definition:
    '60 % delivery tier (elite 100, high 75, medium 50, low 25) and 40 % bus factor (25 at one author, 60 at two, 100 from three on). Without either part there is no score.',
  levels: 'Healthy: 80 and more. Watch: 50 and more. At risk: less.',
  counts: (part) => getPartScore(part) !== null || 'not known',
  value: (parts) => {
    const delivery = parts.find(({ is }) => is === 'delivery');
    const knowledge = parts.find(({ is }) => is === 'knowledge');
    return compositeHealth(
      delivery?.is === 'delivery' ? delivery.tier : null,
      knowledge?.is === 'knowledge' ? knowledge.busFactor : null,
    ).score;
  },
});

const getPartScore = ({ is, row }: Part) => (is === 'delivery' ? row.tierScore : row.busFactorScore);

/** The two parts of a repository's score. */
export const compositeScoreExplanation: Explanation = {
  key: 'composite_score',
  feature: 'healthScorecard',
  needs: ['owner', 'repo'],
  async explain({ owner = '', repo = '' }, context, reply) {
    const facts = await repositoryFacts({ owner, repo }, context, reply);
    const { row, stale, asOf, source } = await scoreFacts(facts, await teamCalendar(context), context);
    const partialReason = row.partialDetail ?? undefined;
    noteListing(reply, { partial: row.partial, partialReason, stale, asOf });
    const parts: Part[] = [
      { is: 'delivery', tier: row.doraLevel, row },
      { is: 'knowledge', busFactor: row.overallBusFactor, row },
    ];
    return explainMetric(compositeScore, parts, {
      window: null,
      partial: row.partial,
      asOf,
      source,
      item: (part) => ({ ...describePart(part), url: null, at: null, value: getPartScore(part) }),
    });
  },
};

function describePart({ is, row }: Part): { label: string; note: string } {
  if (is === 'knowledge')
    return {
      label: `Bus factor: ${row.overallBusFactor ?? 'unknown'}`,
      note: 'weighs 40 %; commits of the last 90 days',
    };
  const from =
    row.deliverySource === 'deployments'
      ? 'measured by production deployments of 30 days'
      : 'estimated from pull requests and releases of 90 days';
  const tiers = Object.entries(row.deliveryTiers).map(
    ([key, tier]) => `${snakeCase(key).replaceAll('_', ' ')} ${tier ?? 'unknown'}`,
  );
  return { label: `Delivery tier: ${row.doraLevel ?? 'unknown'}`, note: `weighs 60 %; ${from}: ${tiers.join(', ')}` };
}
