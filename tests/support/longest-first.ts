import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest with many rounds, the longest first; see the table of `tests/bench/README.md`. */
const longest = [
  'mcp/random-worlds',
  'simulation/simulation',
  'http/reuse',
  'recorded/recorded',
  'sharing/badge-worlds',
  'sync/kill',
  'openmetrics/repositories',
  'sharing/random-worlds',
  'metrics/ai-authorship/cell-floors',
  'metrics/ai-authorship/comparison',
  'alerts/queue-metrics',
  'mcp/random-privacy',
  'store/job-waits',
  'sync/ref-notices',
  'api/unread-fields',
  'store/kill',
  'store/window-runs',
  'store/workflow-figures',
  'sharing/links',
  'sync/webhook-handler-kill',
];

/** The place of a file among these; of all others the one after the last. */
function placeOf({ moduleId }: TestSpecification): number {
  const place = longest.findIndex((one) => moduleId.endsWith(`/tests/${one}.test.ts`));
  return place < 0 ? longest.length : place;
}

/** Begins what takes longest first, for at the end of a run it would be the only one; size, as usual, does not tell. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}

/**
 * How files are ordered where there are many rounds. The variable is read here: to what the configuration imports all
 * files are related, and \`.ci/run\` runs those that are related to \`rounds.ts\`.
 */
export const sequence = process.env.THOROUGH === '1' ? { sequencer: LongestFirst } : {};
