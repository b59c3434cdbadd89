import type { z } from 'zod';
import type { CollectionReport } from '../../../server/reports/data-coverage/schema.ts';
import { Badge, type Status } from '../../components/badge.tsx';

export type Collection = z.output<typeof CollectionReport>;
export type Row = Collection['readings'][number];

export interface ReadingsProps {
  data: Collection;
  /** Whether the repository that it is about has a tracker. */
  isTracked: boolean;
  page: number;
  search: string;
  csvHref: string;
}

const states: Record<Row['state'], [Status, string]> = {
  complete: ['pass', 'complete'],
  partial: ['warning', 'partial'],
  never: ['void', 'not synced'],
  unreachable: ['fail', 'not accessible'],
};

/** How a kind stands, and what is missing of it. */
export const ReadingState = ({ row: { state, missing } }: { row: Row }) => (
  <>
    <Badge status={states[state][0]}>{states[state][1]}</Badge>
    {missing && state !== 'never' ? <span className="sub">{missing}</span> : null}
  </>
);
