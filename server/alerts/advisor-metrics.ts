import { findPresentGain } from '../advisor/verdict/gain.ts';
import { roundTo } from '../metrics/kernel/statistics.ts';
import type { StoredVerdict } from '../store/advisor-verdicts.ts';
import type { Store } from '../store/orm.ts';
import { type AlertFacts, alertMetric } from './metric.ts';

interface GainFacts extends AlertFacts {
  changes: readonly StoredVerdict[];
}

/** Of the merged recommendation whose gain has shrunk most; contract of the advisor, section 8.5. */
export const lostGain = alertMetric({
  key: 'advisor_gain_lost',
  label: 'Recommended saving lost',
  definition:
    'Share of a confirmed saving of a merged CI recommendation that is gone again: minutes per update, commit or run in the 14 days before the last weekly measurement, against those when the saving was confirmed. Of several recommendations of a repository, the one that lost most.',
  unit: 'percent',
  group: 'ci',
  dataSource: 'advisor-verdicts',
  minSample: 20,
  isPointInTime: true,
  shortestHours: 14 * 24,
  load: async ({ repoId }, store: Store): Promise<GainFacts> => {
    const id = await store.repositories.findCodehostId(repoId);
    const changes = id === null ? [] : await store.advisorVerdicts.list([id]);
    const looks = changes.flatMap(({ verdict: { looks: first, weeks, withdrawnAt = [] } }) =>
      [...first, ...weeks].map(({ at }) => at).concat(withdrawnAt),
    );
    return { changes, knownFrom: 0, endings: looks.sort((one, other) => one - other) };
  },
  measure: ({ changes }, { now }) => {
    const gains = changes.flatMap(({ change, verdict }) => {
      const gain = findPresentGain(verdict, now);
      // Without a promise nothing is found kept.
      return gain && change.promised ? { ...gain, change, promised: change.promised } : [];
    });
    const [worst] = gains.sort((one, other) => other.lostPct - one.lostPct);
    if (!worst) return { value: null, sample: 0, isNone: true };
    const { change, promised, lostPct, keptPct, presentPct, units } = worst;
    const details = {
      recommendation: change.id,
      title: change.title,
      promised_low_pct: roundTo(promised.low, 1),
      promised_high_pct: roundTo(promised.high, 1),
      kept_pct: roundTo(keptPct, 1),
      measured_pct: roundTo(presentPct, 1),
    };
    return { value: lostPct, sample: units, details };
  },
});
