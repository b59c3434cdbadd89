import { type At, dateTimeText } from '../charts/zone-time.ts';
import { runStatus, type Status } from './badge.tsx';
import { usePageContext } from './page-context.ts';

export interface StripRun {
  id: number;
  status: string | null;
  conclusion: string | null;
  runNumber?: number | null;
  at: At | null;
}

interface RunStripProps {
  /** The order in which they happened; the last ten are drawn, the newest at the right. */
  runs: readonly StripRun[];
}

/** The last runs as small bars: full is passed, split is failed, hollow is running, low is cancelled or skipped. */
export function RunStrip({ runs }: RunStripProps) {
  const { zone } = usePageContext();
  const shown = runs.slice(-10).map((run) => ({ ...run, ...runStatus(run.status, run.conclusion), zone }));
  if (shown.length === 0) return <span className="muted">no runs</span>;
  return (
    <svg className="strip" role="img" width={10 * step} height={height} viewBox={`0 0 ${10 * step} ${height}`}>
      <title>{spoken(shown)}</title>
      {shown.map((run, index) => (
        <g key={run.id} className={`fill-${run.status}`}>
          <path d={bars[run.status]((10 - shown.length + index) * step)} />
          <rect className="hover" x={(10 - shown.length + index) * step} width={step} height={height}>
            <title>{named(run)}</title>
          </rect>
        </g>
      ))}
    </svg>
  );
}

const step = 9;
const height = 20;

const bars: Record<Status, (x: number) => string> = {
  pass: (x) => `M${x} 0h6v20h-6z`,
  fail: (x) => `M${x} 0h6v8.5h-6zM${x} 11.5h6v8.5h-6z`,
  warning: (x) => `M${x} 20 ${x + 3} 0l3 20z`,
  running: (x) => `M${x} 0h6v20h-6zm1.5 1.5v17h3v-17z`,
  void: (x) => `M${x} 15h6v5h-6z`,
};

type Shown = StripRun & { word: string; zone: string };

const named = ({ runNumber, id, word, at, zone }: Shown) =>
  [`Run ${runNumber ?? id}: ${word}`, at === null ? null : dateTimeText(at, zone)].filter(Boolean).join(', ');

function spoken(runs: Shown[]): string {
  const tally = new Map<string, number>();
  for (const { word } of runs) tally.set(word, (tally.get(word) ?? 0) + 1);
  const summary = [...tally].map(([word, number]) => `${number} ${word}`).join(', ');
  return `Last ${runs.length === 1 ? 'run' : `${runs.length} runs`}: ${summary}; newest ${runs.at(-1)?.word}`;
}
