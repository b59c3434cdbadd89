import type { Source } from './sources.ts';

/** Metrics of one panel: where they are shown, and who defines them. */
export interface Family {
  label: string;
  /** Keys of the metrics, as `/explain` has them. */
  keys: readonly string[];
  /** The page of the demo that shows them. */
  page: Source;
  /** Addresses of the API operations that answer them, beside `/api/explain`, which only metrics with evidence have. */
  operations: readonly string[];
  /** Who defined the measure; null where the definition is this product's own. */
  definedBy: Source | null;
  /** The data of the platform that it is computed from. */
  data: Source;
}
