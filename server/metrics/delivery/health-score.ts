import { roundTo } from '../kernel/statistics.ts';
import type { Tier } from '../kernel/tiers.ts';

export type RiskBand = 'healthy' | 'watch' | 'at_risk' | 'insufficient_data';

export interface CompositeHealth {
  /** 0–100; null when either part is unknown. */
  score: number | null;
  band: RiskBand;
  tierScore: number | null;
  busFactorScore: number | null;
}

/** 60 % delivery tier and 40 % bus factor; 0 authors are no answer. */
export function compositeHealth(tier: Tier | null, overallBusFactor: number | null): CompositeHealth {
  const tierScore = tier === null ? null : tierScores[tier];
  const busFactorScore = scoreBusFactor(overallBusFactor);
  if (tierScore === null || busFactorScore === null) {
    return { score: null, band: 'insufficient_data', tierScore, busFactorScore };
  }
  const score = roundTo((6 * tierScore + 4 * busFactorScore) / 10, 0);
  return { score, band: toRiskBand(score), tierScore, busFactorScore };
}

export type ThroughputTrend = 'up' | 'down' | 'flat' | 'unknown';

/**
 * Merges per complete week, oldest first: the newest six against the six before, fewer on both sides when there are
 * fewer than twelve. More than 15 % is a change; under four weeks it is unknown.
 */
export function throughputTrend(completeWeeks: readonly number[]): ThroughputTrend {
  const half = Math.min(6, Math.floor(completeWeeks.length / 2));
  if (half < 2) return 'unknown';
  const recent = sum(completeWeeks.slice(-half));
  const prior = sum(completeWeeks.slice(-2 * half, -half));
  if (100 * recent > 115 * prior) return 'up';
  return 100 * recent < 85 * prior ? 'down' : 'flat';
}

const tierScores: Record<Tier, number> = { elite: 100, high: 75, medium: 50, low: 25 };

function scoreBusFactor(overall: number | null): number | null {
  if (overall === null || overall === 0) return null;
  if (overall === 1) return 25;
  return overall === 2 ? 60 : 100;
}

function toRiskBand(score: number): RiskBand {
  if (score >= 80) return 'healthy';
  return score >= 50 ? 'watch' : 'at_risk';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
