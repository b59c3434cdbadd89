import type { z } from 'zod';
import type { Explained } from '../reports/kernel/evidence.ts';
import { coverageFields } from './common-fields.ts';
import type { SharedFields } from './fields.ts';

/** What an item can be recognized by without whatever strangers wrote of it, wherever it stands in its label. */
const references = [
  // Pull requests and issues, before their title.
  /^#\d+/,
  // Runs and their attempts.
  /^Run \d+(, attempt \d+)?$/,
  // A failure that began with a run.
  /(?<=^Failed with )run \d+$/,
  /^Commit [0-9a-f]{7}$/,
  // Deployments, before their environment.
  /^[0-9a-f]{7}(?= to )/,
  // After a repository, or after the name of a workflow.
  /#\d+$/,
];

/** The number of a pull request, an issue, a run or a commit: all else of a label may name somebody. */
const referenceOf = (label: string): string =>
  references.map((reference) => reference.exec(label)?.[0]).find((found) => found !== undefined) ?? 'Item';

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
