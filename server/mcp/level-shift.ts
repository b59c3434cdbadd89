import type { z } from 'zod';
import type { getWorkflowReliability } from '../reports/reliability/operations.ts';
import type { Item } from './draft.ts';

type LevelShift = z.output<typeof getWorkflowReliability.output>['level_shifts'][number];

/** Since when runs take longer or shorter, as an item of a list. */
export const levelShiftItem = ({ since, ...rest }: LevelShift, index: number): Item => ({
  key: `shift ${index}`,
  value: { kind: 'level_shift', since_run_id: since.id, ...rest },
});
