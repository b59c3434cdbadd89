import { expect, test } from 'vitest';
import { judgeAttempts } from '../../../server/reports/exposure/judge-attempts.ts';
import { questionInput, toSuspects } from '../../../server/reports/exposure/search-input.ts';
import { day, minute, noon, repository, run, track } from '../../store/world.ts';
import { aDatabase } from '../../support/a-database.ts';

aDatabase((given) => {
  test('more attempts than are judged leave no repository cleared, and the limit is stated', async () => {
    const { store } = await given.openRaw();
    const repoId = await track(store);
    const runs = Array.from({ length: 4001 }, (_, index) => {
      const createdAt = noon + index;
      return run(index + 1, { createdAt, startedAt: createdAt, updatedAt: createdAt + minute });
    });
    await store.runs.ingest(repoId, runs, { syncedAt: noon });
    const context = {
      isDemo: false,
      store,
      services: { clock: { now: () => noon + day }, env: { RETENTION_RUN_DAYS: 400 } },
      codehost: async () => ({ repositories: { get: async () => null } }),
    };
    const judge = (names: string[]) =>
      judgeAttempts(
        toSuspects(questionInput.parse({ org: 'octo', name: names.join(',') })),
        { from: noon, to: noon + day },
        [repository(1)],
        context as never,
      );
    const names = Array.from({ length: 50 }, (_, index) => `some/tool${index}`);
    const found = await judge(names);
    expect(found).toMatchObject({ cap: 4000, complete: new Set() });
    expect(found.attempts).toHaveLength(4000);
    const [only] = names;
    expect(await judge([only ?? ''])).toMatchObject({ cap: null, attempts: { length: 4001 } });
  });
});
