import { Link } from '../../charts/link.tsx';
import { RunBadge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { CommitLink } from '../../components/host-links.tsx';
import { Measurement } from '../../components/measurement.tsx';
import { Moment } from '../../components/moment.tsx';
import type { Reliability, Run } from '../repo/workflow/operations.ts';

type Row = Pick<Run, 'status' | 'conclusion' | 'run_attempt' | 'duration_ms' | 'queue_wait_ms'> & {
  created_at: string;
};

/** The columns that every list of runs has, whether live or stored. */
export const runColumns = {
  result: {
    key: 'result',
    label: 'Result',
    cell: (run) => <RunBadge status={run.status} conclusion={run.conclusion} />,
  },
  attempt: {
    key: 'attempt',
    label: 'Attempt',
    numeric: true,
    explain: 'Re-runs keep the number and increase the attempt',
    value: ({ run_attempt }) => run_attempt,
  },
  created: { key: 'created', label: 'Created', cell: (run) => <Moment at={run.created_at} /> },
  duration: {
    key: 'duration',
    label: 'Duration',
    numeric: true,
    value: ({ duration_ms }) => duration_ms,
    cell: (run) => (
      <Measurement
        value={{
          value: run.duration_ms,
          unit: 'milliseconds',
          reason: run.status === 'completed' ? 'Unknown.' : 'In progress.',
        }}
      />
    ),
  },
  queue: {
    key: 'queue',
    label: 'Queue wait',
    numeric: true,
    explain: 'From creation to start. Unknown for re-runs without job data.',
    value: ({ queue_wait_ms }) => queue_wait_ms,
    cell: (run) => (
      <Measurement
        value={{
          value: run.queue_wait_ms,
          unit: 'milliseconds',
          reason: noQueueWait(run),
        }}
      />
    ),
  },
} satisfies Record<string, Column<Row>>;

function noQueueWait({ run_attempt, status }: Row): string {
  if (run_attempt > 1) return 'Unknown for re-runs.';
  return status === 'completed' ? 'Unknown.' : 'Not started.';
}

interface TriggerProps {
  run: { event: string | null; head_branch: string | null; head_sha: string | null };
  /** `owner/repo` */
  repository: string;
}

/** What set a run off, and on which commit; beneath its name. */
export function Trigger({ run: { event, head_branch: branch, head_sha: sha }, repository }: TriggerProps) {
  const words = [event?.replaceAll('_', ' '), branch].filter(Boolean).join(' · ');
  return (
    <span className="sub muted">
      {words}
      {words && sha ? ' · ' : null}
      {sha ? <CommitLink repository={repository} sha={sha} /> : null}
    </span>
  );
}

/** A run by its number, linked where the platform has a page of it. */
export function RunLink({ run: { number, attempt, url } }: { run: Reliability['anomalies'][number]['run'] }) {
  const name = attempt > 1 ? `run ${number}, attempt ${attempt}` : `run ${number}`;
  return url === '#' ? name : <Link href={url}>{name}</Link>;
}
