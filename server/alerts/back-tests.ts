import type { Context } from '../access/context.ts';
import { readSampleSource } from './demo-facts.ts';
import { findSampleMetric } from './demo-rules.ts';
import type { MeasuredScope } from './metric.ts';
import { type BackTest, backTest, backTestMetric, type ReplayedRule } from './replay.ts';

interface BackTests {
  /** The repositories of an owner that rules are evaluated in, by name. */
  tracked(owner: string): Promise<Tracked[]>;
  /** @throws RangeError for a metric that no rule can watch. */
  test(rule: ReplayedRule & { metric: string }, scope: MeasuredScope): Promise<BackTest>;
}

interface Tracked extends Pick<MeasuredScope, 'defaultBranch'> {
  id: number;
  owner: string;
  repo: string;
}

/** What rules are tried on: stored facts, and in the demo its history. */
export const findBackTests = async (context: Context): Promise<BackTests> =>
  context.isDemo ? sampleBackTests(context) : storedBackTests(context);

const storedBackTests = ({ store, services: { clock } }: Context): BackTests => ({
  tracked: (owner) => store.repositories.tracked(owner),
  test: (rule, scope) => backTest(rule, scope, clock.now(), store),
});

async function sampleBackTests(context: Context): Promise<BackTests> {
  const { clock } = context.services;
  const source = await readSampleSource(context);
  return {
    async tracked(owner) {
      const { items } = await (await context.codehost()).repositories.mine();
      return items.filter((one) => one.owner === owner).toSorted((one, other) => (one.repo < other.repo ? -1 : 1));
    },
    async test({ metric: key, ...rule }, scope) {
      const metric = findSampleMetric(key);
      if (!metric) throw new RangeError(`No rule of the sample watches ${key}.`);
      return backTestMetric(metric, rule, { scope, now: clock.now(), source });
    },
  };
}
