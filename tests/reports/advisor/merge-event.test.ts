import { beforeAll, expect, test } from 'vitest';
import { storedService } from '../../api/stored.ts';
import { closedEvent, delivered, webhookSecret } from '../../codehost-double/webhook.ts';
import { repositoryOf } from '../../codehost-double/world.ts';
import { aDatabase } from '../../support/a-database.ts';
import { storeAdvised } from './advised-world.ts';
import { opens, preview, writer } from './opened-pull-requests.ts';

aDatabase((database) => {
  const visit = storedService(database, { CODEHOST_WEBHOOK_SECRET: webhookSecret });

  let closed = 0;

  const listed = async () => {
    const path = '/api/advisor/recommendations?owner=octo&repo=advised&kind=ADV-01';
    return (await visit.service.ask('GET', path, { as: 'token-bo' })).body.recommendations[0];
  };

  async function deliver(number: number, mergeSha: string | null) {
    const repository = repositoryOf(visit.service.double.world, 'octo/advised');
    for (const one of repository.pullRequests) if (one.number === number) one.state = 'closed';
    const payload = closedEvent(repository, number, visit.service.clock.now(), mergeSha);
    const { body, headers } = delivered(payload, { event: 'pull_request' });
    return (await visit.service.ask('POST', '/api/webhooks/codehost', { body, headers })).body;
  }

  const open = async (): Promise<number> => {
    const opened = await opens(visit.service)({ ...(await preview(visit.service)) });
    expect(opened.status).toBe(201);
    return opened.body.number;
  };

  beforeAll(async () => {
    visit.service.double.world.tokens.push(writer);
    await storeAdvised(visit.service);
  });

  test('one that is closed without a merge is open again at once, and its commit is none', async () => {
    const number = await open();
    closed = number;
    expect(await deliver(number, null)).toEqual({ ok: true, pull_request: number, action: 'closed' });
    expect(await listed()).toMatchObject({ state: 'open', pull_request: { state: 'closed', merged_at: null } });
  });

  test('a merge is known at once, and delivered again it changes nothing', async () => {
    visit.service.clock.advance(20 * 60_000);
    const number = await open();
    const at = new Date(visit.service.clock.now()).toISOString();
    expect(await deliver(number, 'b'.repeat(40))).toEqual({ ok: true, pull_request: number, action: 'closed' });
    expect(await listed()).toMatchObject({ state: 'merged', pull_request: { number, state: 'merged', merged_at: at } });
    expect(await deliver(number, 'e'.repeat(40))).toEqual({ skipped: true, event: 'pull_request' });
    const [unbegun] = (await visit.service.app.services.store?.advisorVerdicts.unbegun()) ?? [];
    expect(unbegun).toMatchObject({ mergedAt: visit.service.clock.now(), proposed: [{ kind: 'ADV-01' }] });
  });

  test('a closed one that is opened again and merged is merged, whatever is read of it meanwhile', async () => {
    expect(await deliver(closed, null)).toEqual({ skipped: true, event: 'pull_request' });
    expect(await deliver(closed, 'c'.repeat(40))).toEqual({ ok: true, pull_request: closed, action: 'closed' });
    const store = visit.service.app.services.store;
    const unbegun = async () => (await store?.advisorVerdicts.unbegun()) ?? [];
    const merged = await unbegun();
    expect(merged).toHaveLength(2);
    const isClosed = { state: 'closed', mergedAt: null, mergeCommit: null } as const;
    for (const { operationId } of merged) await store?.advisorPullRequests.become(operationId, isClosed);
    expect(await unbegun()).toEqual(merged);
  });

  test('one of another pull request is skipped', async () => {
    expect(await deliver(999, 'b'.repeat(40))).toEqual({ skipped: true, event: 'pull_request' });
  });
});
