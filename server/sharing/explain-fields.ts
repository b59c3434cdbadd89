import type { z } from 'zod';
import type { Explained } from '../reports/kernel/evidence.ts';
import { coverageFields } from './common-fields.ts';
import type { SharedFields } from './fields.ts';

/** The number of a pull request, an issue or a run: all else of a label may name somebody. */
const referenceOf = (label: string): string => /^#\d+/.exec(label)?.[0] ?? 'Item';

const itemFields = { label: referenceOf, at: true, value: true } as const;

/** Without notes, which say who. */
export const explainFields: SharedFields<z.output<typeof Explained>> = {
  metric: true,
  label: 'words',
  definition: 'words',
  levels: true,
  no_value: true,
  value: true,
  unit: true,
  better: true,
  sample: true,
  part: true,
  source: true,
  window: { from: true, to: true },
  interval: { low: true, high: true },
  partial: true,
  coverage: coverageFields,
  repositories: { repo: true, included: true, reason: true },
  counted: itemFields,
  left_out: { reason: 'words', count: true, items: itemFields },
  generated_at: true,
  data_source: true,
};
