import { utcDayText } from '../../domain/day-text.ts';
import { count, figures } from '../../domain/quantity.ts';
import { formatSooner } from '../../domain/sooner.ts';
import type { Instant, RepositoryName } from '../../metrics/kernel/facts.ts';
import type { Predicted } from '../effects.ts';
import type { RecordedAttempt } from '../history.ts';
import type { Kind } from '../kind.ts';
import { predictionReasonTexts } from '../reasons.ts';
import type { Band } from '../replay/band.ts';
import { codeSpan, sentence } from './markdown.ts';

/** A change as the text tells it. */
interface ToldChange extends Pick<Predicted, 'id' | 'path' | 'line' | 'text' | 'risks'> {
  kind: Pick<Kind, 'title' | 'certainty'>;
  evidence: readonly { attempt: Pick<RecordedAttempt, 'arrivedAt' | 'htmlUrl' | 'runNumber'> }[];
  effect: ToldEffect;
}

type ToldEffect = Pick<Predicted['effect'], 'next' | 'reason' | 'saves' | 'wall'>;

/** What the text of a pull request speaks of. */
export interface BodyParts {
  repository: RepositoryName;
  /** Those whose changes are in it. */
  chosen: readonly ToldChange[];
  /** The days that were counted; null without a usable window. */
  window: { from: Instant; to: Instant; attempts: number } | null;
  /** Minutes that the unchanged replay reproduced; null where it was not made or did not. */
  reproducedMinutes: number | null;
  /** All changes together, of the workflows they change; null for one alone, or where that is not predicted. */
  together: ToldEffect | null;
  /** Whether it says what is saved at list prices. */
  showsCost: boolean;
  /** Where the pages of this service are. */
  pagesUrl: string;
  /** Where the platform's pages are: no other address of a run is linked. */
  webUrl: string;
}

/**
 * The text of a pull request, from templates: what changes and why, the runs that show it, what is to be expected, and
 * how to undo it. No cost unless it is wanted, nobody's name; names of jobs and files are code.
 */
export const pullRequestBody = (parts: BodyParts): string =>
  [whatChanges(parts), evidence(parts), prediction(parts), risks(parts), judging(parts), undo].join('\n\n');

const whatChanges = ({ chosen }: BodyParts): string => {
  const lines = chosen.map(
    ({ kind, path, line, text }) => `- **${kind.title}** in ${codeSpan(path)}, line ${line}: ${sentence(text)}`,
  );
  return ['## What changes', '', ...lines].join('\n');
};

const maxRuns = 3;

function evidence({ repository: { owner, repo }, chosen, window, pagesUrl, webUrl }: BodyParts): string {
  const counted = window
    ? `${count(window.attempts, 'run attempt')} from ${utcDayText(window.from)} to ${utcDayText(window.to)} (UTC) were counted.`
    : 'No runs were counted: jobs of too few days are stored.';
  const lines = chosen.map(({ id, kind, evidence: runs }) => {
    const page = `[${kind.title}](${pagesUrl}/repos/${owner}/${repo}/advisor/${id})`;
    const newest = runs.toSorted((one, other) => other.attempt.arrivedAt - one.attempt.arrivedAt);
    const links = newest
      .filter(({ attempt }) => attempt.htmlUrl.startsWith(`${webUrl}/`))
      .slice(0, maxRuns)
      .map(({ attempt }) => `[run ${attempt.runNumber}](${attempt.htmlUrl})`);
    return `- ${[page, ...links].join(', ')}`;
  });
  return ['## Evidence', '', counted, '', ...lines].join('\n');
}

function prediction({ chosen, together, reproducedMinutes, showsCost }: BodyParts): string {
  const measured = chosen.filter(({ kind }) => kind.certainty !== 'risk');
  if (measured.every(({ effect }) => effect.next === null)) {
    const reasons = measured.flatMap(({ effect }) => effect.reason ?? []);
    const texts = [...new Set(reasons)].map((reason) => predictionReasonTexts[reason]);
    return `## No prediction\n\n${texts.join(' ') || 'These changes are about security: they save nothing.'}`;
  }
  const rows = measured.map(({ kind, effect }) => toRow(kind.title, effect));
  return [
    '## Prediction for the next 28 days',
    '',
    '| Change | Effect on the workflow (80 % range) | Minutes in 28 days |',
    '| --- | --- | --- |',
    ...rows,
    ...(together === null ? [] : [toRow('All together', together)]),
    '',
    ...(showsCost ? costLines(measured, together) : []),
    ...(rows.length > 1 ? ['Savings overlap: those of the rows do not add up.', ''] : []),
    reproducedMinutes === null
      ? 'The replay was not checked.'
      : `Replay checked: ${figures(reproducedMinutes)} recorded minutes reproduced exactly, queue waits as recorded.`,
  ].join('\n');
}

/** Of all changes, where that is known and some money; what lets runs end earlier promises none. */
function costLines(measured: readonly ToldChange[], together: BodyParts['together']): string[] {
  const [first] = measured.filter(({ effect }) => effect.saves !== 'wall time');
  if (first === undefined) return [];
  const saved = (together ?? first.effect).next?.costSaved ?? null;
  if (saved === null) return [];
  if ((together ?? first.effect).saves === 'cost') return [`At list prices that is ${formatCost(saved)}.`, ''];
  if (saved.high <= 0) return [];
  const [from, to] = [figures(Math.max(0, saved.low), 2), figures(saved.high, 2)];
  return [`At list prices that is ${from} to ${to} USD.`, ''];
}

/** Of another runner, which may also cost more. */
function formatCost({ low, high }: Band): string {
  if (low >= 0) return `${figures(low, 2)} to ${figures(high, 2)} USD less`;
  const more = `up to ${figures(0 - low, 2)} USD more`;
  return high > 0 ? `up to ${figures(high, 2)} USD less, or ${more}` : more;
}

function risks({ chosen }: BodyParts): string {
  const lines = chosen.flatMap(({ risks: found }) =>
    found.map(({ text, count: some, of }) => `- ${figures(some)} of ${figures(of)}: ${sentence(text)}`),
  );
  return ['## What it does not do', '', 'No other line of a file changes. Nothing is merged by itself.', '', ...lines]
    .join('\n')
    .trimEnd();
}

function judging({ repository: { owner, repo }, pagesUrl }: BodyParts): string {
  const page = `[Results](${pagesUrl}/repos/${owner}/${repo}/advisor#results)`;
  const how =
    'minutes for the same demand are compared with those before: first 28 days after the merge, then after 56 and 84';
  return `## How it is judged\n\nOnce it is merged, ${how}. ${page} show what came of it.`;
}

const undo = '## Undo\n\nRevert this pull request.';

function toRow(title: string, { next, reason, saves, wall }: ToldEffect): string {
  if (next === null) return `| ${title} | not predicted | ${reason ? predictionReasonTexts[reason] : ''} |`;
  const times = formatSooner(wall?.next ?? unknownTimes);
  if (saves === 'wall time') return `| ${title} | ${times} | ${formatAdded(next.minutesSaved)} |`;
  return saves === 'cost'
    ? `| ${title} | ${isTimed(wall) ? times : formatChange(next.reductionPct)} | ${formatOther(next.minutesSaved)} |`
    : `| ${title} | ${formatShare(next.reductionPct)} | ${formatMinutes(next.minutesSaved)} |`;
}

const unknownTimes = { p50: null, p90: null };

const isTimed = (wall: ToldEffect['wall']): boolean => wall !== null && (wall.next.p50 ?? wall.next.p90) !== null;

/** Of another runner, in either direction. */
const formatChange = ({ low, mid, high }: Band): string =>
  high < 0
    ? `${figures(Math.floor(0 - high))}–${figures(Math.ceil(0 - low))} % more minutes`
    : formatShare({ low, mid, high });

/** The same in minutes. */
function formatOther({ low, high }: Band): string {
  if (high <= 0) return `${figures(Math.floor(0 - high), 0)}–${figures(Math.ceil(0 - low), 0)} more`;
  return low < 0
    ? `${figures(Math.ceil(0 - low), 0)} more to ${figures(Math.ceil(high), 0)} fewer`
    : formatMinutes({ low, mid: low, high });
}

const formatAdded = ({ low }: Band): string => `up to ${figures(Math.max(0, Math.ceil(-low)), 0)} more`;

/** Rounded outward, so that the range that is shown holds the one that was computed. */
function formatShare({ low, high }: Band): string {
  const [from, to] = [figures(Math.floor(low)), figures(Math.ceil(high))];
  return low <= 0 ? `no saving certain: ${from} to ${to} %` : `${from}–${to} % fewer`;
}

const formatMinutes = ({ low, high }: Band): string =>
  low <= 0
    ? `up to ${figures(Math.ceil(high), 0)} fewer`
    : `${figures(Math.floor(low), 0)}–${figures(Math.ceil(high), 0)} fewer`;
