import { describeRange, splitRange } from './period-filters.ts';
import { HiddenParams } from './shared-params.tsx';

interface RangeChoiceProps {
  range: string;
  search: string;
  /** The parameter that a range takes the place of. */
  replaced?: string | undefined;
}

/** Any two days, inclusive; the form sends them as `from` and `to`, which the page turns into a `range`. */
export function RangeChoice({ range, search, replaced }: RangeChoiceProps) {
  const days = splitRange(range);
  return (
    <details className="range-choice">
      <summary aria-current={days ? 'true' : undefined}>{days ? describeRange(range) : 'Custom'}</summary>
      <form method="get">
        <HiddenParams search={search} besides={['range', 'from', 'to', ...(replaced ? [replaced] : [])]} />
        <label>
          From <input type="date" name="from" required defaultValue={days?.from} />
        </label>
        <label>
          To <input type="date" name="to" required defaultValue={days?.to} />
        </label>
        <button type="submit">Show</button>
      </form>
    </details>
  );
}
