import type { Context } from '../../access/context.ts';
import type { Domain } from '../../api/wire.ts';
import { type OutcomeKey, outcomes } from '../../metrics/ai-authorship/comparison/outcomes.ts';
import { roundTo } from '../../metrics/kernel/statistics.ts';
import type { AiAuthorshipSettings } from '../../settings/ai-authorship.ts';
import { type ComparisonInput, describeProgress, digitsOfEffect, isCompared, readComparison } from './comparison.ts';
import type { AuthorshipByRepository } from './comparison-schema.ts';
import { nameOf } from './compute-comparison.ts';

interface ByRepositoryInput extends Omit<ComparisonInput, 'agent'> {
  outcome?: OutcomeKey | undefined;
}

type Answer = Domain<typeof AuthorshipByRepository>;
type Row = Answer['repositories'][number];

/**
 * One outcome of marked pull requests beside those like them, repository by repository: those of which it is known, then
 * all others of the scope that were read, whether they have a mark or not.
 */
export async function authorshipByRepository(
  { outcome = 'merged_30d', ...input }: ByRepositoryInput,
  settings: AiAuthorshipSettings,
  context: Context,
): Promise<Answer> {
  const read = await readComparison(input, settings, context);
  const { reading, compared, found } = read;
  const { label, effectUnit } = outcomes[outcome];
  const digits = digitsOfEffect(effectUnit);
  const names = new Map(reading.repositories.map((one) => [one.id, nameOf(one)]));
  const compares = found.stored?.answer.outcomes.find(({ key }) => key === outcome)?.byRepository ?? [];
  const known = compares.flatMap(({ repositoryId, sets, effect, interval }): Row[] => {
    const repo = names.get(repositoryId);
    if (repo === undefined) return [];
    const shown = interval && { low: roundTo(interval.low, digits), high: roundTo(interval.high, digits) };
    return [{ repo, sets, effect: roundTo(effect, digits), interval: shown, suppressed: false }];
  });
  const isKnown = new Set(known.map(({ repo }) => repo));
  const others = [...names.values()].filter((repo) => !isKnown.has(repo)).sort();
  return {
    class: compared.class,
    outcome,
    label,
    effectUnit,
    repositories: [
      ...known,
      ...others.map((repo): Row => ({ repo, sets: null, effect: null, interval: null, suppressed: isCompared(found) })),
    ],
    ...describeProgress(read),
  };
}
