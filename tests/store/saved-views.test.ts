import { expect, test } from 'vitest';
import { aDatabase } from '../support/a-database.ts';
import { noon } from './world.ts';

const entitlement = { mayBootstrap: false, defaultGroup: null };
const by = { actor: { id: 1, login: 'admin' }, requestId: 'r', now: noon };

aDatabase((given) => {
  test('of a page the addresses count that were saved by accounts who may use it, each once', async () => {
    const { store } = await given.openRaw();
    const { savedViews, users } = store;
    const save = (account: number, address: string, at: number) =>
      savedViews.save(account, { name: `${at}`, address }, { max: 99, now: noon + at });
    const addresses = async () => (await savedViews.ofPage('/org/Octo/exposure', 'exposure')).map((one) => one.address);
    await save(1, '/org/octo/exposure?name=a%2Fb', 1);
    await save(2, '/org/octo/exposure?name=c%2Fd', 2);
    await save(3, '/org/octo/exposure?name=e%2Ff', 3);
    await save(2, '/org/OCTO/exposure?name=a%2Fb', 4);
    await save(2, '/org/octo/exposure', 5);
    await save(2, '/org/octo-labs/exposure?name=a%2Fb', 6);
    // Without groups whoever may sign in may use everything.
    expect(await addresses()).toEqual([
      '/org/OCTO/exposure?name=a%2Fb',
      '/org/octo/exposure?name=e%2Ff',
      '/org/octo/exposure?name=c%2Fd',
      '/org/octo/exposure?name=a%2Fb',
    ]);
    for (const id of [1, 2, 3])
      await users.signedIn({ id, login: `user${id}`, name: null, avatarUrl: '' }, entitlement, 'r', noon);
    await users.replaceGroups(1, ['admin'], by as never);
    await users.replaceGroups(2, ['security'], by as never);
    await users.replaceGroups(3, ['pm'], by as never);
    expect(await addresses()).toEqual([
      '/org/OCTO/exposure?name=a%2Fb',
      '/org/octo/exposure?name=c%2Fd',
      '/org/octo/exposure?name=a%2Fb',
    ]);
    await save(1, '/org/octo/exposure?name=c%2Fd', 7);
    expect(await savedViews.ofPage('/org/octo/exposure', 'exposure')).toContainEqual({
      address: '/org/octo/exposure?name=c%2Fd',
      createdAt: noon + 2,
    });
  });
});
