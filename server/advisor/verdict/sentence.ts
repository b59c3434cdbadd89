import { utcDayText } from '../../domain/day-text.ts';
import { figures, formatFewer } from '../../domain/quantity.ts';
import { lossFoundAt } from './gain.ts';
import { sum } from './measured-days.ts';
import { unitLabels } from './measures.ts';
import type { ProposedChange } from './proposed.ts';
import type { Verdict, VerdictReason, VerdictState } from './verdict.ts';

export const verdictReasonTexts: Record<VerdictReason, string> = {
  too_variable: 'Minutes vary too much to tell within 84 days.',
  sample_too_small: 'Too little ran within 84 days.',
  nothing_comparable: 'Nothing that ran within 84 days can be compared with what ran before.',
  no_minutes_after: 'Nothing took any minutes after the merge, 100 % fewer, of which no interval can be given.',
  something_else_changed: 'What the change cannot move has changed as well.',
  history_too_short: 'Jobs of fewer than 28 days before the merge are stored, or of fewer than 14 after it.',
  no_denominator: 'No other workflow ran for all of its updates, so that those without a run cannot be counted.',
  reverted: 'The change was taken back.',
  changed_again: 'The lines of the change were changed again.',
  disabled: 'The workflow was disabled, or its file removed.',
};

/** What came of a change, in words, and of the others that it was judged with; contract of the advisor, section 6.6. */
export function verdictSentence(verdict: Verdict, others: ProposedChange['others'] = []): string {
  const { promised, baseline, looks, strata, state, reason, nextLook, lostSince } = verdict;
  const titles = others.map(({ title }) => `“${title}”`).join(', ');
  const together = titles === '' ? null : `Together with ${titles}.`;
  const per = baseline ? ` per ${unitLabels[baseline.measure.per].one}` : '';
  const predicted = promised ? `Predicted ${formatBand(promised)}${per}.` : null;
  const measured = looks.at(-1)?.measured ?? null;
  const units = `${figures(sum(strata.map(({ unitsBefore }) => unitsBefore)))} before, ${figures(sum(strata.map(({ unitsAfter }) => unitsAfter)))} after`;
  const found = measured
    ? `Measured ${formatFewer(measured.deltaPct, 0)} (${formatRange(measured)} %)${promised ? '' : per}, ${units}.`
    : null;
  const ending = {
    ...endings,
    waiting: nextLook === null ? 'Measuring.' : `Measuring, next look on ${utcDayText(nextLook)}.`,
    lost:
      lostSince === null
        ? 'Was kept, then lost.'
        : `Was kept, lost since ${utcDayText(lostSince)}, found on ${utcDayText(lossFoundAt(lostSince))}.`,
    cannot_tell: `Inconclusive. ${reason ? verdictReasonTexts[reason] : ''}`.trim(),
  }[state];
  return [together, predicted, found, ending].filter((part) => part !== null).join(' ');
}

const endings: Record<VerdictState, string | null> = {
  waiting: null,
  kept: 'Kept.',
  not_kept: 'Not kept.',
  no_effect: 'No effect.',
  cannot_tell: null,
  lost: null,
  measured: null,
  in_place: 'In place.',
  undone: 'Undone: the finding is back.',
};

/** Rounded outward, so that the range that is shown holds the one that was computed. */
const formatRange = ({ low, high }: { low: number; high: number }): string =>
  `${figures(Math.floor(low), 0)} to ${figures(Math.ceil(high), 0)}`;

const formatBand = ({ low, high }: { low: number; high: number }): string =>
  low <= 0
    ? `no saving certain, ${formatRange({ low, high })} % fewer minutes`
    : `${formatRange({ low, high })} % fewer minutes`;
