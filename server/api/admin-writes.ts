import { perMinute } from './operation.ts';

/** How often one account may change settings, permissions, groups and identities. */
export const adminWrites = perMinute('admin-writes', 60, { per: 'account', counts: 'after' });
