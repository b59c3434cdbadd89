import { computePercent, roundTo } from './statistics.ts';

/**
 * Declares a metric: the one way a number comes about. The result is a function from facts to a `Measurement`, with
 * the declaration as its properties and `evidence` to open the number: what counted, and why the rest did not.
 */
export function metric<Fact>(declaration: Declaration<Fact>): Metric<Fact> {
  const { key, label, unit, better, source, definition = null, levels = null } = declaration;
  const digits = declaration.digits ?? defaultDigits[unit];

  const evidence = (facts: readonly Fact[]): Evidence<Fact> => {
    const counts = verdicts(declaration, facts);
    const parts: Evidence<Fact> = { counted: [], excluded: [] };
    for (const fact of facts) {
      const verdict = counts(fact);
      if (verdict === true) parts.counted.push(fact);
      else parts.excluded.push({ fact, reason: toReason(verdict, source) });
    }
    return parts;
  };
  const reduce = (counted: readonly Fact[]): number | null => {
    const value = counted.length === 0 ? (declaration.valueWhenEmpty ?? null) : compute(declaration, counted);
    return value === null ? null : roundTo(value, digits);
  };
  const countPart = (counted: readonly Fact[]) =>
    declaration.share === undefined ? null : counted.filter(declaration.share).length;
  const isKnown = (facts: readonly Fact[]) => {
    const counts = verdicts(declaration, facts);
    return !declaration.needsAll || !facts.some((fact) => isUnknown(counts(fact)));
  };
  const measure = (facts: readonly Fact[]): Measurement => {
    const { counted } = evidence(facts);
    return { value: isKnown(facts) ? reduce(counted) : null, unit, sample: counted.length, source };
  };
  const noValue = describeNoValue(declaration);
  const about = { key, label, unit, better, source, definition, levels, noValue };
  return Object.assign(measure, about, { evidence, reduce, countPart });
}

/** Declares a metric that counts facts; by default neither more nor fewer is better. */
export const countMetric = <Fact>(text: {
  key: string;
  label: string;
  source: string;
  definition?: string;
  better?: Better;
  counts(fact: Fact): Verdict;
}): Metric<Fact> =>
  metric({
    unit: 'count',
    better: 'neither',
    valueWhenEmpty: 0,
    needsAll: true,
    value: (counted) => counted.length,
    ...text,
  });

/** A value that is null when it is unknown, with the number of facts behind it. */
export interface Measurement {
  value: number | null;
  unit: Unit;
  sample: number;
  source: string;
}

/** Everything that was looked at: the counted facts, and the others with the reason in plain text. */
export interface Evidence<Fact> {
  counted: Fact[];
  excluded: { fact: Fact; reason: string }[];
}

/**
 * `true` counts; a sentence is the reason why not; `false` leaves the wording to the metric's source. `unknown` is why
 * nobody knows.
 */
export type Verdict = boolean | string | Unknown;

interface Unknown {
  unknown: string;
}

/** Units, each with the decimals its values are rounded to unless the declaration sets others. */
const defaultDigits = {
  percent: 0,
  score: 0,
  count: 0,
  milliseconds: 0,
  minutes: 1,
  hours: 1,
  days: 1,
  per_day: 2,
  per_week: 2,
  usd: 2,
} as const;

export type Unit = keyof typeof defaultDigits;

export type Better = 'higher' | 'lower' | 'neither';

interface About {
  /** snake_case, unique among metrics. */
  key: string;
  label: string;
  unit: Unit;
  better: Better;
  /** What is counted, in plain text: "finished production deployments". */
  source: string;
}

export type Declaration<Fact> = About & {
  definition?: string;
  /** How a value is judged, in plain sentences: "Elite: under 1 day. …". */
  levels?: string | undefined;
  digits?: number;
  /** For counts and frequencies: nothing happened, and that is known. Everything else is null of nothing. */
  valueWhenEmpty?: 0;
  /** Without a value while it is unknown of any fact whether it counts. Others are computed from the known ones. */
  needsAll?: true;
  /** Of fewer counted facts there is no value. */
  minSample?: number;
} & (
    | {
        /** Never called with nothing; its result is rounded once, by the metric. */
        value(counted: readonly Fact[]): number | null;
        share?: undefined;
      }
    /** The value is the percentage of the counted facts for which this holds. */
    | { share(fact: Fact): boolean; value?: undefined }
  ) &
  (
    | { counts(fact: Fact): Verdict; countsAmong?: undefined }
    /** For choices that depend on the other facts, such as "the newest ten". */
    | { countsAmong(facts: readonly Fact[]): (fact: Fact) => Verdict; counts?: undefined }
  );

export interface Metric<Fact> extends About {
  (facts: readonly Fact[]): Measurement;
  definition: string | null;
  levels: string | null;
  /** When there is no value, as the declaration has it; null where there always is one. */
  noValue: string | null;
  evidence(facts: readonly Fact[]): Evidence<Fact>;
  /** The value of facts already known to count; of none, null or what the declaration sets. */
  reduce(counted: readonly Fact[]): number | null;
  /** Of the facts that count, how many a share is made of; null where the value is no share. */
  countPart(counted: readonly Fact[]): number | null;
}

function compute<Fact>(declaration: Declaration<Fact>, counted: readonly Fact[]): number | null {
  if (counted.length < (declaration.minSample ?? 1)) return null;
  return declaration.share === undefined ? declaration.value(counted) : computePercent(counted, declaration.share);
}

function describeNoValue<Fact>({ source, minSample = 1, valueWhenEmpty, needsAll }: Declaration<Fact>): string | null {
  const few = minSample > 1 ? `With fewer than ${minSample} ${source}.` : `With no ${source}.`;
  const parts = [valueWhenEmpty === 0 ? '' : few, needsAll ? 'Where an item could not be read completely.' : ''];
  return parts.filter(Boolean).join(' ') || null;
}

const isUnknown = (verdict: Verdict): verdict is Unknown => typeof verdict === 'object';

function toReason(verdict: false | string | Unknown, source: string): string {
  if (isUnknown(verdict)) return verdict.unknown;
  return verdict === false ? `not among ${source}` : verdict;
}

function verdicts<Fact>(declaration: Declaration<Fact>, facts: readonly Fact[]): (fact: Fact) => Verdict {
  if (declaration.countsAmong) return declaration.countsAmong(facts);
  const { counts } = declaration;
  return (fact) => counts(fact);
}
