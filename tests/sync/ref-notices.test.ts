import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actionLedger } from '../../jobs/action-ledger.ts';
import type { Job } from '../../jobs/job.ts';
import { noticedRefs } from '../../jobs/noticed-refs.ts';
import { runJob } from '../../jobs/run-job.ts';
import type { Services } from '../../server/access/context.ts';
import { Problem } from '../../server/platform/problem.ts';
import { openServiceToken, type ServiceToken } from '../../server/platform/service-token.ts';
import { observeNoticed } from '../../server/sync/action-ledger/noticed.ts';
import { noRules } from '../../server/sync/fact-collector.ts';
import { addRule } from '../alerts/stage.ts';
import { shaOf } from '../codehost-double/delivery-builders.ts';
import { refEvent, releaseEvent } from '../codehost-double/webhook.ts';
import { repositoryOf } from '../codehost-double/world.ts';
import { trackAll } from '../jobs/night.ts';
import { eachDatabase } from '../support/database.ts';
import { rounds } from '../support/rounds.ts';
import { type Service, startService } from '../support/service.ts';
import { dice } from './deliveries-world.ts';
import { day, minute } from './stage.ts';

const [one, two, three, evil] = ['one', 'two', 'three', 'evil'].map(shaOf) as [string, string, string, string];
const using = (...uses: string[]) =>
  `on: push\njobs:\n  build:\n    runs-on: ubuntu-24.04\n    steps:\n${uses.map((use) => `      - uses: ${use}\n`).join('')}`;
const count = rounds('REF_NOTICES', 6, 60);

eachDatabase((given) => {
  let service: Service;
  let deliveries = 0;
  const store = () => service.app.services.store as NonNullable<Services['store']>;
  const own = (name = 'octo/own') => repositoryOf(service.double.world, name);
  /** Tags of the own action, each with its commits, the newest first. */
  const point = (tags: Record<string, string[]>, name?: string) => {
    own(name).refs = Object.entries(tags).map(([tag, commits]) => ({ kind: 'tags', name: tag, commits }));
  };
  const ledger = async (ref = 'v1', actionKey = 'octo/own') => {
    const found = (await store().actionLedger.refsInUse(100)).find(
      (used) => used.actionKey === actionKey && used.ref === ref,
    );
    return found?.history ?? [];
  };
  const commits = async (ref?: string) => (await ledger(ref)).map(({ commit, state }) => commit ?? state);
  const deliver = async (event: string, payload: object, delivery = `delivery-${++deliveries}`) => {
    service.clock.advance(1000);
    return (await service.app.services.webhooks.receive({ event, delivery, payload })).kind;
  };
  const push = (before: string | null, after: string | null, ref = 'refs/tags/v1') =>
    refEvent(own(), { ref, before, after });
  const run = async (job: Job) => {
    service.double.requests.length = 0;
    const slot = { slot: String(service.clock.now()), trigger: 'http', stopping: AbortSignal.any([]) } as const;
    const ended = await runJob(job, service.app.services, slot);
    expect(ended?.status).toBe('done');
    return ended?.outcome?.summary;
  };
  /** Beside what the service asks of repositories themselves. */
  const lookUps = () => service.double.requests.filter(({ operation }) => operation !== 'repos/get');
  const lookUp = async () => {
    service.clock.advance(minute);
    return run(noticedRefs);
  };

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await given.migrated(), CODEHOST_TOKEN: 'token-ann' });
    service.double.addRepository({ name: 'octo/own', facts: { id: 701 }, refs: [] });
    service.double.addRepository({ name: 'octo/app' });
    service.double.putWorkflowFile(
      'octo/app',
      '.github/workflows/ci.yml',
      using('octo/own@v1', 'octo/own@refs/tags/v2', 'octo/own@v3'),
    );
    await trackAll(service.double, store(), ['octo/app', 'octo/own'], service.clock.now());
    point({ v1: [one], v2: [one], v3: [one] });
    service.clock.advance(day);
    await run(actionLedger);
    expect(await commits()).toEqual([one]);
    const rule = { scope: 'repo:octo/app', metric: 'action_tags_moved', threshold: 1 };
    await addRule({ ...service.app.services, store: store() }, rule);
  });
  afterAll(() => service?.close());

  describe('webhooks of tags that are used as actions', () => {
    test('a push that moves a tag is written at once and once, and judged a minute later', async () => {
      service.double.requests.length = 0;
      expect(await deliver('push', push(one, evil), 'push-1')).toBe('ref');
      expect(service.double.requests).toEqual([]);
      const [, move] = await ledger();
      expect(move).toMatchObject({ commit: evil, previousCommit: one, observedFrom: service.clock.now(), alarm: null });
      expect(await deliver('push', push(one, evil), 'push-1')).toBe('duplicate');
      expect(await deliver('push', push(one, evil), 'the same by another delivery')).toBe('ref');
      expect(await commits()).toEqual([one, evil]);
      point({ v1: [evil], v2: [one], v3: [one] });
      const evaluated: string[] = [];
      const { evaluateAfterSync } = service.app.services;
      service.app.services.evaluateAfterSync = async ({ repo }, feed) => {
        evaluated.push(`${repo} ${feed}`);
        return noRules;
      };
      expect(await lookUp()).toMatchObject({ compared: 1 });
      service.app.services.evaluateAfterSync = evaluateAfterSync;
      expect((await ledger()).at(-1)).toMatchObject({ commit: evil, moveClass: 'rewritten', alarm: 'rewritten' });
      expect(evaluated).toEqual(['app actions']);
      await lookUp();
      expect(await lookUp()).toEqual({ refs: 0, compared: 0 });
      expect(lookUps()).toEqual([]);
    });

    test('a move and its return between two looks are both written', async () => {
      const [, , ...before] = await commits();
      expect(before).toEqual([]);
      await deliver('push', push(evil, two));
      await deliver('push', push(two, evil));
      expect(await commits()).toEqual([one, evil, two, evil]);
      await lookUp();
      expect((await ledger()).at(-1)).toMatchObject({ moveClass: 'back', alarm: 'returned' });
    });

    test('what does not go on from what was seen last is looked up instead, also behind such a one', async () => {
      point({ v1: [evil], v2: [three], v3: [one] });
      expect(await deliver('push', push(two, three, 'refs/tags/v2'))).toBe('ref');
      expect(await deliver('push', push(one, two, 'refs/tags/v2'))).toBe('ref');
      expect(await commits('refs/tags/v2')).toEqual([one]);
      expect(await lookUp()).toMatchObject({ refs: 1 });
      expect(await commits('refs/tags/v2')).toEqual([one, three]);
      await lookUp();
    });

    test('a tag that is deleted is gone, and one that comes again has moved; a branch of its name is not it', async () => {
      expect(await deliver('push', push(one, three, 'refs/heads/v3'))).toBe('ref');
      expect(await commits('v3')).toEqual([one]);
      await lookUp();
      await lookUp();
      expect(await deliver('push', push(one, null, 'refs/tags/v3'))).toBe('ref');
      expect(await deliver('push', push(null, two, 'refs/tags/v3'))).toBe('ref');
      expect(await commits('v3')).toEqual([one, 'gone', two]);
      point({ v1: [evil], v2: [three], v3: [two] });
      await lookUp();
    });

    test('events that name no commit have the tag looked up', async () => {
      const announce = { create: 'ref', delete: 'ref' } as const;
      for (const [event, kind] of Object.entries(announce)) {
        const { repository } = push(null, null);
        expect(await deliver(event, { ref: 'v3', ref_type: 'tag', repository })).toBe(kind);
        expect(await lookUp()).toMatchObject({ refs: 1 });
        await lookUp();
      }
      service.double.putRelease('octo/own', { id: 7, tag: 'v3', createdAt: 0, isImmutable: true } as never);
      expect(await deliver('release', releaseEvent(own(), 'v3'))).toBe('ref');
      await lookUp();
      expect(await store().actionLedger.releases(['octo/own'])).toMatchObject([
        { tag: 'v3', commit: two, immutable: true },
      ]);
    });

    test('of what nobody uses nothing is stored', async () => {
      expect(await deliver('push', push(null, two, 'refs/tags/v9'))).toBe('skipped');
      expect(await deliver('push', push(null, two, 'refs/notes/commits'))).toBe('skipped');
      expect(
        await deliver('push', refEvent(own('octo/app'), { ref: 'refs/heads/main', before: one, after: two })),
      ).toBe('skipped');
      await lookUp();
      expect(lookUps()).toEqual([]);
    });

    test('the same delivery at once from many sides is written once', async () => {
      const payload = push(evil, three);
      const found = await Promise.all(
        Array.from({ length: 8 }, () =>
          service.app.services.webhooks.receive({ event: 'push', delivery: 'many', payload }),
        ),
      );
      expect(found.map(({ kind }) => kind).toSorted()).toEqual([...Array(7).fill('duplicate'), 'ref']);
      expect((await commits()).slice(-2)).toEqual([evil, three]);
      point({ v1: [three], v2: [three], v3: [two] });
      await lookUp();
    });

    test(`${count} histories that arrive twice and in any order end where the platform is, and hold nothing that never was`, async () => {
      const roll = dice(77);
      const random = () => roll(1000) / 1000;
      let last = three;
      for (let round = 0; round < count; round++) {
        const steps = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, index) => shaOf(`${round} ${index}`));
        const known = (await ledger()).length;
        const path = [last, ...steps];
        const events = steps.map((after, index) => ({
          payload: push(path[index] ?? null, after),
          id: `${round}-${index}`,
        }));
        const arriving = [...events, ...events.filter(() => random() < 0.3)]
          .map((event) => ({ event, place: random() < 0.5 ? random() : events.indexOf(event) / events.length }))
          .sort((a, b) => a.place - b.place);
        last = steps.at(-1) ?? last;
        point({ v1: [last], v2: [three], v3: [two] });
        for (const { event } of arriving) await deliver('push', event.payload, event.id);
        await lookUp();
        const written = (await commits()).slice(known);
        expect(written.at(-1)).toBe(last);
        expect(steps.filter((step) => written.includes(step))).toEqual(written);
        await lookUp();
      }
    });

    test('rules that nobody evaluated after a move was judged are a minute later, once, whatever the quota', async () => {
      const { services } = service.app;
      const before = (await commits()).at(-1) ?? null;
      const moved = shaOf('moved and left');
      await deliver('push', push(before, moved));
      point({ v1: [moved], v2: [three], v3: [two] });
      service.clock.advance(minute);
      const codehost = services.connect(openServiceToken(services.env.CODEHOST_TOKEN as ServiceToken), {
        background: true,
      });
      const reading = { store: store(), codehost, signal: AbortSignal.any([]), mayContinue: () => true };
      const look = (more: Partial<Services> = {}, codehost = reading.codehost) =>
        observeNoticed({ ...reading, codehost, services: { ...services, ...more } }, 'action_tags_moved');
      const ended = () => Promise.reject(new Error('The process ended.'));
      await expect(look({ evaluateAfterSync: ended })).rejects.toThrow('The process ended.');
      expect((await ledger()).at(-1)).toMatchObject({ commit: moved, alarm: 'rewritten' });
      const evaluated: string[] = [];
      const evaluateAfterSync: Services['evaluateAfterSync'] = (repository, ...given) => {
        evaluated.push(repository.repo);
        return services.evaluateAfterSync(repository, ...given);
      };
      service.clock.advance(minute);
      const { repository } = push(null, null);
      await deliver('create', { ref: 'v3', ref_type: 'tag', repository });
      const refTargets = () => Promise.reject(new Problem('upstream_rate_limited', 'The quota is spent.'));
      await expect(look({ evaluateAfterSync }, { ...codehost, refTargets })).rejects.toThrow('The quota is spent.');
      expect(evaluated).toEqual(['app']);
      await look({ evaluateAfterSync });
      expect(evaluated).toEqual(['app']);
    });
  });
});
