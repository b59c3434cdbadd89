// Metrics of repositories at a scrape: what is shown of what was computed.
import { setImmediate } from 'node:timers/promises';
import type { Instant } from '../metrics/kernel/facts.ts';
import { hourMs } from '../metrics/kernel/window.ts';
import { type Measured, measured, type Sample } from '../platform/metric-family.ts';
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

/** So many repositories are taken at a time, then others may go on. */
const atOnce = 50;

/** Whole repositories up to `maxSeries`, those with the most runs first; of the others it is counted what is left out. */
export async function measureRepositories(
  values: readonly ExposedValue[],
  now: Instant,
  maxSeries: number,
): Promise<Measured[]> {
  const families = deliveryFamilies.filter(({ name }) => name !== seriesDropped.name);
  const shown = new Map(families.map((family) => [family.name, { family, samples: [] as Sample[], dropped: 0 }]));
  let [count, isFull] = [0, false];
  for (const [index, own] of orderByRank(values).entries()) {
    if (index % atOnce === atOnce - 1) await setImmediate();
    const series = toSeries(own, now);
    isFull ||= count + series.length > maxSeries;
    if (!isFull) count += series.length;
    for (const { family: name, labels, value } of series) {
      const of = shown.get(name);
      if (isFull && of) of.dropped++;
      else of?.samples.push({ labels: of.family.labels.map((label) => labels[label] ?? ''), value });
    }
  }
  return [
    ...[...shown.values()].map(({ family, samples }) => ({ family, samples })),
    measured(
      seriesDropped,
      [...shown].map(([family, { dropped }]) => [{ family }, dropped]),
    ),
  ];
}

/** The values of each repository, those with the most runs first. */
function orderByRank(values: readonly ExposedValue[]): ExposedValue[][] {
  const byRepository = Map.groupBy(values, ({ owner, repo }) => `${owner}/${repo}`);
  const ranked = [...byRepository.values()].map((own) => ({ own, rank: own.find(isRank)?.value ?? 0 }));
  return ranked.sort((a, b) => b.rank - a.rank).map(({ own }) => own.filter((one) => !isRank(one)));
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
