import { expect, test } from 'vitest';
import type { Group } from '../../server/store/entities/user.ts';
import { eachDatabase } from '../support/database.ts';
import { hour, noon } from './world.ts';

const by = { actor: { id: 1, login: 'ann' }, requestId: null, now: noon };
const params = { repository_id: 1, owner: 'octo', repo: 'web', workflow_id: null, branch: null };
const badge = { kind: 'badge', params, snapshot: null, format: null, passHash: null, createdAt: noon } as const;
const features = { workflow: null, 'success-rate': 'reports', 'lead-time': 'dora' };

eachDatabase((given) => {
  test.each<[Group[], string[]]>([
    [['dev'], ['success-rate']],
    [['dev', 'pm'], []],
    [['security'], ['success-rate', 'lead-time']],
    [['admin'], []],
  ])('badges of a maker in %s end with features that no group is granted: %s', async (groups, ended) => {
    const store = await given.open();
    const profile = { id: 7, login: 'maker', name: null, avatarUrl: '' };
    await store.users.signedIn(profile, { mayBootstrap: false, defaultGroup: null }, 'r', noon);
    await store.users.replaceGroups(7, groups, by);
    const made = new Map<number | null, string>();
    for (const [index, page] of Object.keys(features).entries()) {
      const one = { ...badge, page, tokenHash: Buffer.alloc(32, index), accountId: 7, login: 'maker' };
      made.set(await store.shares.create({ ...one, expiresAt: noon + hour }, 9, by), page);
    }
    await store.permissions.set({ group: 'dev', flag: 'reports', granted: false }, by);
    const outdated = async (required: Record<string, string | null>) =>
      (await store.shares.outdated(noon, { isOrganization: true, features: required })).map(({ id, reason }) => [
        made.get(id),
        reason,
      ]);
    expect(await outdated(features)).toEqual(ended.map((page) => [page, 'feature_revoked']));
    expect(await outdated({})).toEqual([]);
    await store.users.removeAllGroups(7, 'org_not_allowed', by);
    expect((await outdated(features)).map(([, reason]) => reason)).toEqual(Array(3).fill('maker_left'));
  });
});
