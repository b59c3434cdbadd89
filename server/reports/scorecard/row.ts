import { z } from 'zod';
import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { joinedReasons } from '../../codehost/client/readable-items.ts';
import { snakeCase } from '../../domain/wire.ts';
import { countFinished } from '../../metrics/delivery/environments.ts';
import { compositeHealth, type RiskBand, throughputTrend } from '../../metrics/delivery/health-score.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import { overallTier, type Tier } from '../../metrics/kernel/tiers.ts';
import type { BusFactor } from '../../metrics/people/bus-factor.ts';
import type { Calendar } from '../../metrics/people/workday-hours.ts';
import { computeBusFactor } from '../bus-factor/report.ts';
import { type Delivery, deliveryGaps, readDelivery } from '../delivery/facts.ts';
import { coverageReasons } from '../kernel/coverage.ts';
import { type RepositoryFacts, repositoryFacts } from '../repositories/facts.ts';

export const bands = ['at_risk', 'watch', 'healthy', 'insufficient_data'] as const satisfies readonly RiskBand[];

const TierOrNull = z.enum(['elite', 'high', 'medium', 'low']).nullable();
const score = z.int().nullable();

export const ScorecardRow = z.object({
  owner: z.string(),
  repo: z.string(),
  composite_score: score.meta({ description: '60 % tier_score and 40 % bus_factor_score; null without either.' }),
  risk_band: z.enum(bands).meta({ description: 'healthy from 80, watch from 50.' }),
  dora_level: TierOrNull.meta({ description: 'The worst of the known delivery_tiers; null under two.' }),
  delivery_source: z
    .enum(['deployments', 'repo_dora'])
    .nullable()
    .meta({ description: 'Measured by deployments or estimated from pull requests and releases.' }),
  delivery_tiers: z.object({
    deployment_frequency: TierOrNull,
    lead_time: TierOrNull.meta({ description: 'Known of estimates alone.' }),
    change_failure_rate: TierOrNull,
    time_to_restore: TierOrNull,
  }),
  tier_score: score.meta({ description: 'elite 100, high 75, medium 50, low 25.' }),
  overall_bus_factor: z.int().nullable().meta({ description: 'The minimum number of authors of 80 % of the commits.' }),
  bus_factor_score: score.meta({ description: 'At one 25, at two 60, from three on 100.' }),
  critical_modules: z.int().nullable().meta({
    description: 'With five commits or more, 80 % of them by one author; null where that could not be read of all.',
  }),
  trend: z
    .enum(['up', 'down', 'flat', 'unknown'])
    .meta({ description: 'Merges a week: the newest complete weeks, up to six, against as many before.' }),
  reasons: z.array(z.string()).meta({ description: 'Machine keys of what makes the score what it is.' }),
  partial: z.boolean().meta({ description: 'Not everything in its windows was read.' }),
  partial_reasons: z
    .array(z.enum(coverageReasons))
    .meta({ description: 'Why it is partial, with the codes of `coverage`; none where it is not.' }),
  partial_detail: z
    .string()
    .nullable()
    .meta({ description: 'What could not be read, and of which request; null where a limit alone ended the reading.' }),
});

export type Row = Domain<typeof ScorecardRow>;

/** A repository's score, and how old the oldest fact behind it is. */
export interface Scored {
  row: Row;
  stale: boolean;
  asOf: Instant;
  source: 'live' | 'mixed';
}

/** Scores a repository that the caller can see. Throws the problems of the platform. */
export async function computeScore(name: RepositoryName, calendar: Calendar, context: Context): Promise<Scored> {
  const facts = await repositoryFacts(name, context, { status: 200, headers: new Headers() });
  return scoreFacts(facts, calendar, context);
}

/** The same for a repository whose visibility was proved. */
export async function scoreFacts(facts: RepositoryFacts, calendar: Calendar, context: Context): Promise<Scored> {
  const { repository } = facts;
  // One after the other: what the first brings up to date the second finds.
  const delivery = await readDelivery(facts, calendar);
  const knowledge = await computeBusFactor(facts, context);
  const { level, source, tiers } = computeLevel(delivery);
  const { overallBusFactor: overall, criticalModules, totalCommits } = knowledge.factor;
  const busFactor = totalCommits === 0 ? null : overall;
  const health = compositeHealth(level, busFactor);
  const trend = throughputTrend(completeWeeks(delivery));
  const sets = [delivery.pullRequests, delivery.releases, delivery.deployments?.set ?? [], knowledge].flat();
  const gaps = [...new Set([...deliveryGaps(delivery), ...knowledge.coverage.reasons])];
  const unread = joinedReasons([
    ...sets.map(({ partialReason }) => partialReason),
    ...(delivery.deployments === null ? ['deployments could not be read'] : []),
  ]);
  const row: Omit<Row, 'reasons'> = {
    owner: repository.owner,
    repo: repository.repo,
    compositeScore: health.score,
    riskBand: health.band,
    doraLevel: level,
    deliverySource: level && source,
    deliveryTiers: tiers,
    tierScore: health.tierScore,
    overallBusFactor: busFactor,
    busFactorScore: health.busFactorScore,
    criticalModules,
    trend,
    partial: gaps.length > 0,
    partialReasons: gaps,
    partialDetail: unread ?? null,
  };
  return {
    row: { ...row, reasons: listReasons(row, delivery, knowledge.factor) },
    stale: sets.some(({ stale }) => stale),
    asOf: Math.min(...sets.map(({ asOf }) => asOf)),
    source: sets.every((set) => set.source === 'live') ? 'live' : 'mixed',
  };
}

/**
 * Merges of each week that was counted and that the repository lived through; in those before it nothing could be
 * merged.
 */
const completeWeeks = ({ weeks, scope: { calendar, repositoryCreatedAt } }: Delivery): number[] =>
  weeks
    .filter(({ partial, weekStart }) => !partial && calendar.getStart(weekStart) >= (repositoryCreatedAt ?? 0))
    .map(({ count }) => count);

/** Production deployments that ended: fewer do not show how delivery goes. */
const enoughDeployments = 5;

/** How delivery goes: measured where enough was deployed to production, else estimated. */
export function computeLevel({ estimate, deployments }: Delivery): {
  level: Tier | null;
  source: 'deployments' | 'repo_dora';
  tiers: Row['deliveryTiers'];
} {
  const figures = deployments?.figures;
  const production = figures?.source === 'deployments' ? figures.production : null;
  if (figures && production && (countFinished(production) ?? 0) >= enoughDeployments) {
    const { deploymentFrequency, changeFailureRate, mttr } = figures.tiers;
    return {
      level: overallTier([deploymentFrequency, changeFailureRate, mttr]),
      source: 'deployments',
      tiers: {
        deploymentFrequency,
        leadTime: null,
        changeFailureRate,
        timeToRestore: mttr,
      },
    };
  }
  return {
    level: estimate.overallLevel,
    source: 'repo_dora',
    tiers: {
      deploymentFrequency: estimate.deploymentFrequency.level,
      leadTime: estimate.leadTime.level,
      changeFailureRate: estimate.changeFailureRate.level,
      timeToRestore: estimate.mttr.level,
    },
  };
}

/** What lowers the score or makes it unknown, most important first. */
function listReasons(row: Omit<Row, 'reasons'>, { deployments }: Delivery, { authorUnread }: BusFactor): string[] {
  const { doraLevel: level, deliveryTiers: tiers, overallBusFactor: busFactor } = row;
  const worst = Object.entries(tiers).filter(([, tier]) => tier === level && level !== null && level !== 'elite');
  const knowledge = busFactor === null ? 'unknown' : busFactor >= 3 ? '3_or_more' : String(busFactor);
  return [
    ...(level === null ? ['delivery_unknown'] : []),
    ...worst.map(([key, tier]) => `${snakeCase(key)}_${tier}`),
    ...(row.deliverySource === 'repo_dora' ? ['delivery_estimated'] : []),
    ...(deployments === null ? ['deployments_unreadable'] : []),
    `bus_factor_${knowledge}`,
    ...(authorUnread > 0 ? ['commit_authors_unread'] : []),
    ...((row.criticalModules ?? 0) > 0 ? ['critical_modules'] : []),
    ...(row.trend === 'down' ? ['throughput_down'] : []),
    ...(row.partial ? ['partial_facts'] : []),
  ];
}
