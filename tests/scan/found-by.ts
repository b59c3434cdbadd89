import type { Surroundings } from '../../server/scan/rule.ts';
import { scanFile } from '../../server/scan/scan.ts';

export const around: Surroundings = { visibility: 'public', largerRunnerLabels: [], actions: null };

/** What a rule finds in a text: line, severity, job and step of each finding, as one line of words. */
export function foundBy(ruleId: string, text: string, given: Partial<Surroundings> = {}): string[] {
  const surroundings = { ...around, ...given };
  return scanFile('.github/workflows/test.yml', text, surroundings, Date.parse('2026-11-16T10:00:00Z'))
    .findings.filter((one) => one.ruleId === ruleId)
    .map(({ line, severity, job, step }) => [line, severity, job, step].filter((part) => part !== null).join(' '));
}

/** A workflow for pushes whose one job, `build`, begins on line 3; its first step is on line 6. */
export const withSteps = (...steps: string[]): string =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${steps.map(asStep).join('')}`;

/** Lines of YAML as a step. */
const asStep = (step: string) =>
  step
    .trimEnd()
    .split('\n')
    .map((line, index) => `      ${index === 0 ? '- ' : '  '}${line}\n`)
    .join('');
