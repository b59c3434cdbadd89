import type { Row } from '../reports/scorecard/row.ts';
import { cleanName, cleanRepository, cleanText } from './names.ts';

/** What a weekly email to leaders contains without any model: the scores, and what rules make of them. */
export interface WrittenDigest {
  org: string;
  /** ISO 8601, such as `2026-W47`. */
  week: string;
  rows: readonly Row[];
  narrative: readonly string[];
}

/** All that is sent about a week; contract of the service, section 5.4. */
export interface DigestSnapshot {
  org: string;
  iso_week: string;
  repos: {
    repo: string;
    dora_level: Row['doraLevel'];
    bus_factor: number | null;
    critical_modules: number | null;
    score: number | null;
    band: Row['riskBand'];
    trend: Row['trend'];
    partial: boolean;
  }[];
  narrative: string[];
}

/** What the paragraph of a weekly email is written from. */
export const digestSnapshot = ({ org, week, rows, narrative }: WrittenDigest): DigestSnapshot => ({
  org: cleanRepository(org),
  iso_week: cleanName(week),
  repos: rows.map(({ repo, doraLevel, criticalModules, trend, partial, ...row }) => ({
    repo: cleanRepository(repo),
    dora_level: doraLevel,
    bus_factor: row.overallBusFactor,
    critical_modules: criticalModules,
    score: row.compositeScore,
    band: row.riskBand,
    trend,
    partial,
  })),
  narrative: narrative.map((line) => cleanText(line)),
});
