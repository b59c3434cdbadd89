import type { Panel as Answer } from '../../../server/http/adapters.ts';
import { usePageContext } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { backTestCsvHref, toBackTest } from './form-values.ts';
import type { Rule } from './labels.ts';
import { ruleSentence } from './sentence.ts';
import { type Trial, TrialResult } from './trial.tsx';

export interface BackTest {
  rule: Rule;
  result: Answer<Trial>;
}

/** The parameter that names a saved rule. */
export const backTested = 'back_test';

/** A saved rule and what it would have done in 90 days. */
export function RuleBackTest({ rule, result }: BackTest) {
  const { base } = usePageContext();
  return (
    <Panel title="Back-test" id={backTested} result={result}>
      {(data) => (
        <>
          <p>{ruleSentence(rule)}</p>
          <TrialResult data={data} csvHref={base ? undefined : backTestCsvHref(toBackTest(rule))} isSaved />
        </>
      )}
    </Panel>
  );
}
