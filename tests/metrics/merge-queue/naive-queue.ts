/** What an invented world knows of its queue, in minutes of a day. */
export interface Known {
  stays: {
    number: number;
    from: number;
    to: number;
    reason: string;
    /** Minutes of each build. */
    lengths: number[];
    attempt: number;
    isSameHead: boolean;
  }[];
  /** Merged without the queue. */
  bypassed: number;
}

/** Half away from zero; 0.575 × 100 is a little less than 57.5 in binary. */
const round = (value: number, digits: number) =>
  Number((Math.round(Number((value * 10 ** digits).toPrecision(12))) / 10 ** digits).toFixed(digits));

/** Interpolated between the two nearest ranks. */
function atShare(values: number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? 0;
  return below + (above - below) * (place - Math.floor(place));
}

const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The figures of a queue, computed in the plainest way from what is known of it. */
export function naiveFigures({ stays, bypassed }: Known) {
  const merged = stays.filter(({ reason }) => reason === 'merged');
  const byChecks = stays.filter(({ reason }) => reason === 'failed_checks');
  const enough = (count: number, floor: number, value: () => number, digits: number) =>
    count < floor ? null : round(value(), digits);
  const firsts = new Map(stays.toReversed().map((stay) => [stay.number, stay.from]));
  const gaps = merged
    .filter(({ attempt }) => attempt > 1)
    .map(({ number, to }) => {
      const inside = stays.filter((one) => one.number === number).map((one) => one.to - one.from);
      return to - (firsts.get(number) ?? 0) - inside.reduce((sum, one) => sum + one, 0);
    });
  const times = merged.map(({ from, to }) => to - from);
  const busy = new Set(stays.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, minute) => from + minute)))
    .size;
  const allMinutes = stays.flatMap(({ lengths }) => lengths).reduce((sum, one) => sum + one, 0);
  return {
    time: enough(merged.length, 5, () => atShare(times, 0.5), 1),
    slow: enough(merged.length, 5, () => atShare(times, 0.9), 1),
    total: enough(
      merged.length,
      5,
      () =>
        atShare(
          merged.map(({ number, to }) => to - (firsts.get(number) ?? 0)),
          0.5,
        ),
      1,
    ),
    attempts: enough(merged.length, 5, () => average(merged.map(({ attempt }) => attempt)), 2),
    repeated: enough(
      merged.length,
      5,
      () => (100 * merged.filter(({ attempt }) => attempt > 1).length) / merged.length,
      0,
    ),
    gap: enough(gaps.length, 5, () => atShare(gaps, 0.5), 1),
    ejected: enough(stays.length, 10, () => (100 * (stays.length - merged.length)) / stays.length, 1),
    flaky: enough(
      byChecks.length,
      5,
      () => (100 * byChecks.filter((one) => one.isSameHead).length) / byChecks.length,
      0,
    ),
    rebuilds: enough(merged.length, 10, () => average(merged.map(({ lengths }) => lengths.length - 1)), 2),
    checks: enough(
      stays.length,
      5,
      () =>
        atShare(
          stays.map(({ lengths }) => lengths[0] ?? 0),
          0.5,
        ),
      1,
    ),
    minutes: enough(merged.length, 5, () => allMinutes / merged.length, 1),
    hourly: enough(merged.length, 10, () => merged.length / (busy / 60), 1),
    batch: enough(merged.length, 5, () => 1, 1),
    bypass: enough(merged.length + bypassed, 10, () => (100 * bypassed) / (merged.length + bypassed), 0),
  };
}
