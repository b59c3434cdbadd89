import { verdictReasonTexts } from '../../advisor/verdict/sentence.ts';
import type { Domain } from '../../api/wire.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import type { StoredVerdict } from '../../store/advisor-verdicts.ts';
import { roundBand } from '../advisor/effect.ts';
import type { ShortVerdict } from './schema.ts';

/** What came of a merged change, in short; contract of the advisor, section 6.6. */
export function toShortVerdict({
  change: { promised },
  verdict,
}: Pick<StoredVerdict, 'change' | 'verdict'>): Domain<typeof ShortVerdict> {
  const measured = verdict.looks.at(-1)?.measured ?? null;
  return {
    promise: promised && roundBand(promised, 1),
    measured: measured && {
      low: roundTo(measured.low, 1),
      mid: roundTo(measured.deltaPct, 1),
      high: roundTo(measured.high, 1),
      level: 98,
    },
    state: verdict.state,
    nextLook: verdict.nextLook,
    reason: verdict.reason && { code: verdict.reason, text: verdictReasonTexts[verdict.reason] },
  };
}
