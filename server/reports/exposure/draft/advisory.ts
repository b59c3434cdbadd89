import { z } from 'zod';
import type { Instant } from '../../../metrics/kernel/facts.ts';
import { isRange } from '../../../scan/action-versions.ts';
import type { DraftSuspect, Ignored } from './draft-suspect.ts';

/** An advisory, as the platform publishes it or as somebody pasted it. */
export interface Advisory {
  id: string;
  summary: string;
  severity: string;
  publishedAt: Instant | null;
  withdrawnAt: Instant | null;
  url: string | null;
  packages: AdvisedPackage[];
}

interface AdvisedPackage {
  ecosystem: string;
  name: string;
  /** As advisories write it; null for every version. */
  range: string | null;
}

const moment = z
  .string()
  .transform((text) => Date.parse(text))
  .pipe(z.number())
  .nullish()
  .catch(null);

/** As the platform's API gives it. */
const wireAdvisory = z
  .object({
    ghsa_id: z.string(),
    summary: z.string().catch(''),
    severity: z.string().catch('unknown'),
    published_at: moment,
    withdrawn_at: moment,
    html_url: z
      .url({ protocol: /^https$/ })
      .nullish()
      .catch(null),
    vulnerabilities: z
      .array(
        z.object({
          package: z.object({ ecosystem: z.string(), name: z.string().nullish() }).nullish(),
          vulnerable_version_range: z.string().nullish(),
        }),
      )
      .nullish(),
  })
  .transform(
    (wire): Advisory => ({
      id: wire.ghsa_id,
      summary: wire.summary,
      severity: wire.severity,
      publishedAt: wire.published_at ?? null,
      withdrawnAt: wire.withdrawn_at ?? null,
      url: wire.html_url ?? null,
      packages: (wire.vulnerabilities ?? []).flatMap(({ package: found, vulnerable_version_range: range }) =>
        found?.name ? { ecosystem: found.ecosystem, name: found.name, range: range ?? null } : [],
      ),
    }),
  );

const event = z.record(z.string(), z.string());

/** As the OSV schema has it. */
const osvAdvisory = z
  .object({
    id: z.string(),
    summary: z.string().catch(''),
    published: moment,
    withdrawn: moment,
    database_specific: z
      .object({ severity: z.string().catch('unknown') })
      .nullish()
      .catch(null),
    affected: z.array(
      z.object({
        package: z.object({ ecosystem: z.string(), name: z.string() }),
        ranges: z.array(z.object({ events: z.array(event) })).nullish(),
        versions: z.array(z.string()).nullish(),
      }),
    ),
  })
  .transform(
    (wire): Advisory => ({
      id: wire.id,
      summary: wire.summary,
      severity: (wire.database_specific?.severity ?? 'unknown').toLowerCase(),
      publishedAt: wire.published ?? null,
      withdrawnAt: wire.withdrawn ?? null,
      url: null,
      packages: wire.affected.flatMap(({ package: { ecosystem, name }, ranges, versions }) => {
        // Versions that are listed may lie outside the ranges.
        const written = versions?.length ? [] : (ranges ?? []).flatMap(({ events }) => toRanges(events));
        return (written.length === 0 ? [null] : written).map((range) => ({ ecosystem, name, range }));
      }),
    }),
  );

/** A range for each version in which the problem was introduced. */
function toRanges(events: readonly Record<string, string>[]): string[] {
  const ranges: string[][] = [];
  for (const { introduced, fixed, last_affected: lastAffected } of events) {
    if (introduced !== undefined || ranges.length === 0) ranges.push([]);
    if (introduced !== undefined) ranges.at(-1)?.push(`>= ${introduced}`);
    if (fixed !== undefined) ranges.at(-1)?.push(`< ${fixed}`);
    if (lastAffected !== undefined) ranges.at(-1)?.push(`<= ${lastAffected}`);
  }
  return ranges.filter(({ length }) => length > 0).map((bounds) => bounds.join(', '));
}

const published = z.union([wireAdvisory, osvAdvisory]);

/** null for what is no advisory. */
export function readAdvisory(value: unknown): Advisory | null {
  const first = Array.isArray(value) ? value[0] : value;
  return published.safeParse(first).data ?? null;
}

const actionEcosystems = new Set(['actions', 'github actions']);

/** Its actions, and its packages of other kinds. */
export function listSuspects({ packages }: Advisory): { suspects: DraftSuspect[]; ignored: Ignored[] } {
  const isAction = ({ ecosystem }: AdvisedPackage) => actionEcosystems.has(ecosystem.toLowerCase());
  const groups = Map.groupBy(packages.filter(isAction), ({ name }) => name.toLowerCase());
  return {
    suspects: [...groups.values()].flatMap((all) => {
      const ranges = all.flatMap(({ range }) => (range !== null && isRange(range) ? range : []));
      const [first] = all;
      const match = ranges.map((value) => ({ type: 'version_range' as const, value }));
      return first ? { kind: null, name: first.name, match: match.length < all.length ? [] : match } : [];
    }),
    ignored: packages
      .filter((one) => !isAction(one))
      .map(({ ecosystem, name }) => ({ text: `${ecosystem}: ${name}`.slice(0, 300), reason: 'no_action' as const })),
  };
}
