import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Double, startDouble } from '../codehost-double/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { clientOf, createTestClock } from './platform.ts';

/** The double for the tests of a file, new before each, with one clock for it and its clients. */
export function withDouble() {
  let clock = createTestClock(namedNow);
  let double: Double | undefined;
  beforeAll(async () => {
    double = await startDouble({ clock: { now: () => clock.now() } });
  });
  beforeEach(() => {
    clock = createTestClock(namedNow);
    double?.reset();
  });
  afterEach(() => expect(double?.violations).toEqual([]));
  afterAll(() => double?.close());
  return {
    get double(): Double {
      if (!double) throw new Error('The double is not started.');
      return double;
    },
    advance: (ms: number) => clock.advance(ms),
    /** A client with its own memory; patient, because the double checks every answer against the description. */
    as(token = 'token-ann', restAttemptMs = 5_000) {
      const { url, graphqlUrl } = this.double;
      const patience = { restTotalMs: 3 * restAttemptMs, graphqlAttemptMs: 5_000, graphqlTotalMs: 10_000 };
      return clientOf(url, { token, clock, graphqlUrl, timing: { restAttemptMs, ...patience } });
    },
  };
}
