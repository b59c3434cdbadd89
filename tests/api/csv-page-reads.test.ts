import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { repositoryOf } from '../codehost-double/world.ts';
import { aRun } from '../metrics/worlds.ts';
import { aDatabase } from '../support/a-database.ts';
import { openFile } from '../support/open-file.ts';
import { storedService } from './stored.ts';

const runs = '/api/db/runs?owner=octo&repo=web';
const perMinute = 20;

aDatabase((database) => {
  const visit = storedService(database, { RATE_LIMIT_SESSION_PER_MINUTE: String(perMinute) });
  const ask = (path: string) => visit.service.ask('GET', path, { as: 'token-ann' });
  const open = () => openFile(visit.service, `${runs}&limit=1&format=csv&csv_pages=all`, 'token-ann');
  const countLines = (text: string) => text.split('\r\n').length - 1;
  const countAll = (texts: string[]) => texts.map(countLines).filter((lines) => lines > 0);
  let total: number;
  beforeAll(async () => {
    await visit.sync('owner=octo&repo=web');
    const { store, clock } = visit.service.app.services;
    const found = await store?.repositories.find(repositoryOf(visit.service.double.world, 'octo/web').facts);
    const many = Array.from({ length: 1100 }, (_, index) => aRun({ id: 50_000 + index, runNumber: 1000 + index }));
    await store?.runs.ingest(found?.id ?? 0, many, { syncedAt: clock.now() });
    total = (await ask(runs)).body.total;
  });
  beforeEach(() => visit.service.clock.advance(60_000));

  test('a file is read in the largest pages, however small the requested one is', async () => {
    expect(countAll(await (await open()).rest())).toEqual([501, 500, total - 1000]);
  });

  test('each page counts as a request, and waits where the limit is used up', async () => {
    for (let asked = 0; asked < perMinute - 2; asked++) expect((await ask(runs)).status).toBe(200);
    visit.service.clock.advance(59_000);
    const file = await open();
    expect([countLines(await file.next()), countLines(await file.next())]).toEqual([501, 500]);
    const third = file.rest();
    expect(await Promise.race([third, sleep(300, 'waits')])).toBe('waits');
    visit.service.clock.advance(1000);
    expect(countAll(await third)).toEqual([total - 1000]);
  });

  test('a file ends with the session that reads it', async () => {
    const file = await open();
    expect(countLines(await file.next())).toBe(501);
    const { sessions } = visit.service.app.services;
    const opened = sessions.unseal(new Headers({ cookie: await visit.service.signIn('token-ann') }));
    if (!opened) throw new Error('Nobody is signed in.');
    await sessions.end(opened.session, 'signed_out');
    await expect(file.rest()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
