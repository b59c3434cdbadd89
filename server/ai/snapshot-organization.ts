import type { Context } from '../access/context.ts';
import type { Domain } from '../api/wire.ts';
import { Problem } from '../platform/problem.ts';
import { type ScorecardReport, scorecard } from '../reports/scorecard/report.ts';
import type { Row } from '../reports/scorecard/row.ts';
import { cleanRepository } from './names.ts';
import { discardedReply } from './snapshot-reading.ts';

/** All that is sent about an organization; contract of the service, section 5.4. */
export interface OrganizationSnapshot {
  surface: 'organization';
  scope: string;
  risk_bands: { healthy: number; watch: number; at_risk: number; median_score: number | null };
  /** At most five that have a score, the lowest first. */
  worst_repos: { repo: string; score: number | null; band: Row['riskBand']; dora_level: Row['doraLevel'] }[];
  /** Repositories by the fewest people who know most of them. */
  bus_factor: {
    repos_at_one: number;
    repos_at_two: number;
    repos_at_three_or_more: number;
    /** null where those of any repository are unknown. */
    critical_modules: number | null;
  };
  partial: boolean;
}

/** As many as the page of the organization's health shows when nobody chooses. */
const scored = 10;
const maxWorst = 5;

/** Reads the scores of an organization's repositories. Throws the problems of the platform. */
export async function readOrganization(org: string, context: Context): Promise<OrganizationSnapshot> {
  const report = await scorecard({ org, limit: scored }, context, discardedReply());
  if (report.computing && report.reposAnalysed === 0)
    throw new Problem('ai_unavailable', 'The scores are still being computed. Ask again in a few seconds.', {
      details: { retry_after_s: 5 },
    });
  return organizationSnapshot(report);
}

/** How an organization's repositories stand. */
export function organizationSnapshot({
  org,
  repos,
  bands,
  medianScore,
  partial,
}: Pick<Domain<typeof ScorecardReport>, 'org' | 'repos' | 'bands' | 'medianScore' | 'partial'>): OrganizationSnapshot {
  const factors = repos.flatMap(({ overallBusFactor }) => overallBusFactor ?? []);
  return {
    surface: 'organization',
    scope: cleanRepository(org),
    risk_bands: { healthy: bands.healthy, watch: bands.watch, at_risk: bands.atRisk, median_score: medianScore },
    worst_repos: repos
      .filter(({ compositeScore }) => compositeScore !== null)
      .slice(0, maxWorst)
      .map(({ repo, compositeScore, riskBand, doraLevel }) => ({
        repo: cleanRepository(repo),
        score: compositeScore,
        band: riskBand,
        dora_level: doraLevel,
      })),
    bus_factor: {
      repos_at_one: factors.filter((factor) => factor <= 1).length,
      repos_at_two: factors.filter((factor) => factor === 2).length,
      repos_at_three_or_more: factors.filter((factor) => factor >= 3).length,
      critical_modules: addKnown(repos.map(({ criticalModules }) => criticalModules)),
    },
    partial,
  };
}

/** The sum; null where a part is unknown. */
const addKnown = (parts: readonly (number | null)[]) =>
  parts.reduce<number | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0);
