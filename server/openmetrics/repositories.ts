// Metrics of repositories at a scrape: what is shown of what was computed.
import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import { type Labels, type Measured, measured } from '../platform/metric-family.ts';
import type { ExposedValue } from '../store/exported-values.ts';
import { isRank } from './rank.ts';
import { deliveryFamilies, repositoryFamilies, seriesDropped } from './repository-families.ts';

/** What is older is left out, so that a chart shows a gap rather than yesterday's value. */
const staleMs = 26 * hourMs;

interface Series {
  family: string;
  labels: Record<string, string>;
  value: number;
}

/** Whole repositories up to `maxSeries`, those with the most runs first; of the others it is counted what is left out. */
export function measureRepositories(values: readonly ExposedValue[], now: Instant, maxSeries: number): Measured[] {
  const byRepository = [...Map.groupBy(values, ({ owner, repo }) => `${owner}/${repo}`).values()];
  const ordered = byRepository
    .map((own) => ({
      rank: own.find(isRank)?.value ?? 0,
      series: toSeries(
        own.filter((one) => !isRank(one)),
        now,
      ),
    }))
    .sort((a, b) => b.rank - a.rank);
  const families = deliveryFamilies.filter(({ name }) => name !== seriesDropped.name);
  const shown = new Map(families.map(({ name }) => [name, [] as [Labels<string>, number][]]));
  const dropped = new Map<string, number>();
  let [count, isFull] = [0, false];
  for (const { series } of ordered) {
    isFull ||= count + series.length > maxSeries;
    for (const { family, labels, value } of series) {
      if (isFull) dropped.set(family, (dropped.get(family) ?? 0) + 1);
      else shown.get(family)?.push([labels, value]);
    }
    if (!isFull) count += series.length;
  }
  return [
    ...families.map((family) => measured(family, shown.get(family.name) ?? [])),
    measured(
      seriesDropped,
      families.map(({ name }) => [{ family: name }, dropped.get(name) ?? 0]),
    ),
  ];
}

function toSeries(values: readonly ExposedValue[], now: Instant): Series[] {
  const fresh = values.filter(({ asOf }) => now - asOf <= staleMs);
  const age = values.flatMap(({ family, owner, repo, value }): Series[] =>
    family === repositoryFamilies.age.name
      ? [{ family, labels: { owner, repo }, value: Math.max(0, now / 1000 - value) }]
      : [],
  );
  const others = fresh.filter(({ family }) => family !== repositoryFamilies.age.name);
  return [
    ...others.map(({ family, owner, repo, labels, value }) => ({ family, labels: { owner, repo, ...labels }, value })),
    ...age,
    ...toSamples(others),
  ];
}

/** How many items stand behind each value: one number for all quantiles of a window. */
function toSamples(values: readonly ExposedValue[]): Series[] {
  const samples = new Map<string, Series>();
  for (const { family, owner, repo, labels, n } of values) {
    const { window } = labels;
    if (n === null || window === undefined) continue;
    const of = family.replace(/^das_repository_/, '');
    samples.set(`${of} ${window}`, {
      family: repositoryFamilies.samples.name,
      labels: { owner, repo, window, of },
      value: n,
    });
  }
  return [...samples.values()];
}
