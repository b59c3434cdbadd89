import type { ReactNode } from 'react';
import { Panel } from '../../../components/panel.tsx';
import { LatestRuns } from './figure-cards.tsx';
import type { WorkflowAnswers } from './operations.ts';
import type { Sample } from './sample.ts';

type Runs = Extract<NonNullable<WorkflowAnswers['runs']>, { ok: true }>['data'];

interface RunsPanelProps {
  title: string;
  id?: string;
  answers: Partial<WorkflowAnswers>;
  sample: Sample;
  children(runs: Runs): ReactNode;
}

/** A panel about the latest runs of a workflow. */
export function RunsPanel({ title, id, answers: { runs }, sample, children }: RunsPanelProps) {
  if (!runs) return null;
  return (
    <Panel title={title} id={id} result={runs} aside={<LatestRuns sample={sample} />}>
      {children}
    </Panel>
  );
}
