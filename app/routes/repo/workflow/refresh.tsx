import { type At, timeText } from '../../../charts/zone-time.ts';
import type { WorkflowAnswers } from './operations.ts';

interface Props {
  /** How many runs have not ended. */
  active: number;
  asOf: At;
  zone: string;
  /** This page, to read it anew; null in the demo, where nothing goes on. */
  here: string | null;
  nonce: string;
}

/** How many runs are active, and a link that reads the page anew; with scripts that happens by itself. */
export function Refresh({ active, asOf, zone, here, nonce }: Props) {
  return (
    <>
      {`${active} running or waiting at ${timeText(asOf, zone)} (${zone}). `}
      {here === null ? null : (
        <>
          <a href={here}>Refresh</a>
          <script nonce={nonce}>{reloadWhenSeen}</script>
        </>
      )}
    </>
  );
}

/** After half a minute, or as soon as somebody looks at the tab again. It ends with the page that has no active run. */
const reloadWhenSeen = `{
  const due = Date.now() + 30000;
  const look = () => { if (!document.hidden && Date.now() >= due) location.reload(); };
  document.addEventListener('visibilitychange', look);
  setTimeout(look, 30000);
}`;

/** Runs that have not ended, by what the shown tab read. */
export function activeRuns({ runs, reliability, jobStats, cost }: Partial<WorkflowAnswers>): number {
  if (runs?.ok) return runs.data.filter(({ outcome }) => outcome === 'running').length;
  if (reliability?.ok) return reliability.data.running;
  if (jobStats?.ok) return jobStats.data.runs_under_way;
  return cost?.ok ? cost.data.runs_under_way : 0;
}
