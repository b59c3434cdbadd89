import { figures } from '../../../../server/domain/quantity.ts';
import { Link } from '../../../charts/link.tsx';
import { type At, timeText } from '../../../charts/zone-time.ts';
import { ReloadWhenSeen } from '../../../components/reload-when-seen.tsx';
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
      {`${figures(active)} running or waiting at ${timeText(asOf, zone)} (${zone}). `}
      {here === null ? null : (
        <>
          <Link href={here}>Refresh</Link>
          <ReloadWhenSeen afterMs={30_000} nonce={nonce} />
        </>
      )}
    </>
  );
}

/** Runs that have not ended, by what the shown tab read. */
export function activeRuns({ runs, reliability, jobStats, cost }: Partial<WorkflowAnswers>): number {
  if (runs?.ok) return runs.data.filter(({ outcome }) => outcome === 'running').length;
  if (reliability?.ok) return reliability.data.running;
  if (jobStats?.ok) return jobStats.data.runs_under_way;
  return cost?.ok ? cost.data.runs_under_way : 0;
}
