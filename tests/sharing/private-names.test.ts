import { expect, test, vi } from 'vitest';
import { listPrivateNames } from '../../server/api/shares/private-names.ts';
import { createContext } from '../../server/http/context.ts';
import type { Store } from '../../server/store/orm.ts';
import { storedService } from '../api/stored.ts';
import { cheapestDatabase } from '../support/database.ts';

cheapestDatabase((database) => {
  const visit = storedService(database);
  const asked = async () => {
    const { service } = visit;
    return createContext(service.app.services, {
      method: 'GET',
      url: new URL('http://localhost:3000/org/octo/health'),
      headers: new Headers({ cookie: await service.signIn('token-ann') }),
      address: '127.0.0.1',
      signal: new AbortController().signal,
    });
  };
  const names = ['octo/web', 'octo/payroll', 'octo/unknown'];
  const allow = (sharing: string) =>
    visit.service.ask('PUT', '/api/settings/sharing', {
      as: 'token-ann',
      body: { sharing, public_badges: false },
    });

  test('whoever may share reads which repositories are not known to be public', async () => {
    await visit.sync('owner=octo&repo=web');
    await allow('members');
    expect(await listPrivateNames(names, await asked())).toContain('octo/unknown');
  });

  test('nothing is looked up where sharing is off', async () => {
    await allow('off');
    const { repositories } = visit.service.app.services.store as Store;
    const looked = vi.spyOn(repositories, 'concerning');
    expect(await listPrivateNames(names, await asked())).toEqual([]);
    expect(looked).not.toHaveBeenCalled();
    looked.mockRestore();
    await allow('members');
  });

  test('a look-up that fails breaks no page, and is not taken for none', async () => {
    const { repositories } = visit.service.app.services.store as Store;
    const looked = vi.spyOn(repositories, 'concerning').mockRejectedValue(new Error('Connection terminated'));
    expect(await listPrivateNames(names, await asked())).toBeNull();
    looked.mockRestore();
  });

  test('a defect is not hidden', async () => {
    const { repositories } = visit.service.app.services.store as Store;
    const looked = vi.spyOn(repositories, 'concerning').mockRejectedValue(new TypeError('not a function'));
    await expect(listPrivateNames(names, await asked())).rejects.toThrow('not a function');
    looked.mockRestore();
  });
});
