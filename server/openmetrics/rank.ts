// Which repositories come first where not all can be shown: those with the most runs, as of the last full hour.
import type { Instant } from '../metrics/kernel/facts.ts';
import type { RepositoryValue } from '../store/exported-values.ts';
import { repositoryFamilies } from './repository-families.ts';

/** A row beside the values of the families. */
const name = 'rank';

export const countRuns = (values: readonly RepositoryValue[]): number =>
  values.filter(({ family }) => family === repositoryFamilies.runs.name).reduce((sum, { value }) => sum + value, 0);

export const toRank = (runs: number, now: Instant): RepositoryValue => ({
  family: name,
  labels: {},
  value: runs,
  n: null,
  asOf: now,
});

export const isRank = ({ family }: RepositoryValue): boolean => family === name;
