import { findPresentGain } from '../advisor/verdict/gain.ts';
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
    'How much of what a merged CI recommendation saved is gone, as a share of what it saved when it was found kept: of minutes per unit of demand over the 14 days before its last weekly measurement. Of several recommendations of a repository, the one that lost most.',
  unit: 'percent',
  group: 'ci',
  dataSource: 'advisor-verdicts',
  minSample: 20,
  shortestHours: 14 * 24,
  load: async ({ repoId }, store: Store): Promise<GainFacts> => {
    const id = await store.repositories.findCodehostId(repoId);
    const changes = id === null ? [] : await store.advisorVerdicts.list([id]);
    return { changes, knownFrom: 0, endings: [] };
  },
  measure: ({ changes }, { now }) => {
    const gains = changes.flatMap(({ change, verdict }) => {
      const gain = findPresentGain(verdict, now);
      return gain ? { change, ...gain } : [];
    });
    const [worst] = gains.sort((one, other) => other.lostPct - one.lostPct);
    if (!worst) return { value: null, sample: 0, isNone: true };
    const { change, lostPct, keptPct, presentPct, units } = worst;
    const details = { recommendation: change.id, title: change.title, kept_pct: keptPct, measured_pct: presentPct };
    return { value: lostPct, sample: units, details };
  },
});
