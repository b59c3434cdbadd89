/**
 * For a child process of Node: the embedded database is compiled by the baseline compiler alone, so that a process that
 * lives for seconds begins a second of processor time earlier.
 */
export const baseline = '--liftoff-only';
