import { beforeAll, beforeEach } from 'vitest';
import type { Codehost, RunsPage } from '../../server/codehost/client/client.ts';
import type { Store } from '../../server/store/orm.ts';
import type { KnownRepository } from '../../server/store/repositories.ts';
import type { SyncRequest, SyncResult } from '../../server/sync/sync-repositories.ts';
import { withDouble } from '../codehost/double.ts';
import { namedNow } from '../codehost-double/named-world.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import type { TestDatabase } from '../support/database.ts';
import { day, hour, minute, platformRuns, repoIdOf, storedRuns, synchronize } from './stage.ts';

type Attempts = ReturnType<typeof platformRuns>;

interface ManyRuns {
  platform: ReturnType<typeof withDouble>;
  store: Store;
  client: ReturnType<ReturnType<typeof withDouble>['as']>;
  name: string;
  /** Path of the list of runs. */
  path: string;
  /** Ids from here on belong to the test; the 350 runs, oldest first, have the ids from `firstId + 1` on. */
  firstId: number;
  /** Synchronizes a minute later. */
  sync(names?: string[], differing?: Partial<SyncRequest>, env?: Record<string, string>): Promise<SyncResult>;
  /** The client, with something happening around each page. */
  around(window: (read: () => Promise<RunsPage>) => Promise<RunsPage>): Pick<SyncRequest, 'codehost'>;
  /** The repository as the database knows it. */
  known(): Promise<KnownRepository | null>;
  stored(): Promise<Attempts>;
  wanted(): Attempts;
}

/** For each test a repository with 350 runs of the last 60 days, a patient client, and the store of the whole suite. */
export function manyRuns(given: TestDatabase): ManyRuns {
  const platform = withDouble();
  let number = 0;
  let codehostId = 0;
  const stage: ManyRuns = {
    platform,
    store: null as unknown as Store,
    client: null as unknown as ManyRuns['client'],
    name: '',
    path: '',
    firstId: 0,
    async sync(names = [stage.name], differing = {}, env = {}) {
      platform.advance(minute);
      const { codehost, clock } = stage.client;
      return synchronize(platform.double, names, { codehost, clock, store: stage.store, env }, differing);
    },
    around(window) {
      const { codehost } = stage.client;
      const runs: Codehost['runs'] = {
        ...codehost.runs,
        window: (...request) => window(() => codehost.runs.window(...request)),
      };
      return { codehost: { ...codehost, runs } };
    },
    known: () => stage.store.repositories.find({ id: codehostId }),
    stored: async () => storedRuns(stage.store, await repoIdOf(stage.store, stage.name)),
    wanted: () => platformRuns(repositoryOf(platform.double.world, stage.name)),
  };
  beforeAll(async () => {
    stage.store = await given.open();
  });
  beforeEach(() => {
    number++;
    const { double } = platform;
    stage.name = `octo/many-runs-${number}`;
    codehostId = 80_000 + number;
    stage.path = `/repos/${stage.name}/actions/runs`;
    stage.firstId = number * 1_000_000;
    double.addRepository({ name: stage.name, facts: { id: codehostId } });
    double.addRuns(stage.name, 350, {
      from: namedNow - 60 * day,
      to: namedNow - hour,
      firstId: stage.firstId + 1,
    });
    stage.client = platform.as();
  });
  return stage;
}
