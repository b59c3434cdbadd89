import type { Measurement } from './measurement.ts';
import type { Part } from './reader.ts';

/** What an answer is about; identifiers that passed their syntax. */
export interface Subject {
  owner?: string;
  repo?: string;
  org?: string;
  workflow_id?: number;
  run_id?: number;
  login?: string;
}

/** One row of a list, and the name that it keeps wherever it stands in it; several may have the same. */
export interface Item {
  key: string;
  /** Of long lists made when it is read, which is of a page alone. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** What a tool found, before it is cut into pages. */
export interface Draft {
  subject: Subject;
  /** The answers that it is made of. */
  parts: readonly Part[];
  measurements: readonly Measurement[];
  items: readonly Item[];
  /** How many items there are where these are not all; their number otherwise. */
  total?: number;
  /** The page that shows the same, as path and query. */
  page: string;
}
