import type { Reporter, TestCase, TestModule } from 'vitest/node';

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Ends a run with `N passed, N failed` as the very last line, also after the teardown has spoken.
 * A file that could not be loaded and an error outside any test count as failures; skips are listed with their reason.
 */
export class TallyReporter implements Reporter {
  #lastLine = '0 passed, 1 failed';

  onInit(): void {
    process.once('exit', () => process.stdout.write(`${this.#lastLine}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    const tally = count(cases);
    tally.failed += unhandledErrors.length + modules.filter(brokenOutsideTests).length;
    process.stdout.write(skippedLoudly(cases));
    this.#lastLine = summary(tally);
  }
}

export const summary = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

function count(cases: readonly TestCase[]): Tally {
  const states = cases.map((test) => test.result().state);
  const having = (state: string) => states.filter((each) => each === state).length;
  return { passed: having('passed'), failed: having('failed') + having('pending'), skipped: having('skipped') };
}

const brokenOutsideTests = (module: TestModule): boolean =>
  [module, ...module.children.allSuites()].some((suite) => suite.errors().length > 0);

function skippedLoudly(cases: readonly TestCase[]): string {
  const reasons = new Map<string, number>();
  for (const test of cases) {
    const result = test.result();
    if (result.state !== 'skipped') continue;
    const reason = result.note ?? `no reason given (${test.module.relativeModuleId})`;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return [...reasons].map(([reason, tests]) => `\n!!! SKIPPED ${tests} test(s): ${reason}\n`).join('');
}
