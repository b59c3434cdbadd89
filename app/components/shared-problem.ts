import type { PanelAnswer } from './panel.tsx';
import { isExcluded, type PanelProblem } from './panel-failure.tsx';

/** The one problem that all of these answers have, to be shown once; null where one was given or they differ. */
export function findSharedProblem(answers: readonly (PanelAnswer<unknown> | null | undefined)[]): PanelProblem | null {
  const given = answers.filter((answer) => answer !== null && answer !== undefined);
  const problems = given.flatMap((answer) => (answer.ok ? [] : [answer.problem]));
  const [first] = problems;
  if (!first || isExcluded(first) || problems.length < given.length) return null;
  return problems.every(({ code }) => code === first.code) ? first : null;
}
