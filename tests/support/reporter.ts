import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

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
  #tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    process.once('exit', (code) => {
      // A run that broke in its setup or teardown has no failed test to show for it.
      if (code !== 0 && this.#tally.failed === 0) this.#tally.failed = 1;
      process.stdout.write(`${summary(this.#tally)}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const cases = modules.flatMap((module) => [...module.children.allTests()]);
    this.#tally = count(cases);
    this.#tally.failed += unhandledErrors.length + modules.filter(brokenOutsideTests).length;
    process.stdout.write(skippedLoudly(cases) + this.#withoutPostgres());
  }

  #withoutPostgres(): string {
    if (this.#vitest?.getRootProject().getProvidedContext().postgres !== null) return '';
    return '\n!!! PostgreSQL IS NOT INSTALLED HERE: every test of it was left out. REQUIRE_POSTGRES=1 makes that an error.\n';
  }
}

const summary = ({ passed, failed, skipped }: Tally): string =>
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
