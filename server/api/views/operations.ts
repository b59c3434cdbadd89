import { z } from 'zod';
import { member } from '../../access/rules.ts';
import { within } from '../../platform/fields.ts';
import { invalidRequest, Problem } from '../../platform/problem.ts';
import type { ViewChange } from '../../store/saved-views.ts';
import { operation, perMinute } from '../operation.ts';
import { viewAddress, viewName } from './fields.ts';
import { viewsOf } from './stored-views.ts';

const viewId = within(1, 2_147_483_647);
const writes = perMinute('view-writes', 60, { per: 'account', counts: 'after' });
const Done = z.object({ ok: z.literal(true) });

export const getViews = operation({
  method: 'GET',
  path: '/api/views',
  summary: 'Your saved views: addresses of pages, each under a name',
  access: member,
  input: z.object({}),
  output: z.object({
    views: z.array(z.object({ id: z.int(), name: z.string(), address: z.string() })).meta({ description: 'By name.' }),
    limit: z.int().meta({ description: 'How many there can be.' }),
  }),
  async run(_input, context, reply) {
    const stored = await viewsOf(context, reply);
    return { views: await stored.list(), limit: stored.max };
  },
});

export const saveView = operation({
  method: 'POST',
  path: '/api/views',
  summary: 'Save a view; without a database in a cookie of this browser',
  access: member,
  limit: writes,
  failures: ['view_limit'],
  headers: ['Set-Cookie'],
  input: z.object({ name: viewName, address: viewAddress }),
  output: Done,
  async run(view, context, reply) {
    const stored = await viewsOf(context, reply);
    assertDone(await stored.save(view), stored.max);
    return { ok: true as const };
  },
});

export const renameView = operation({
  method: 'PATCH',
  path: '/api/views',
  summary: 'Rename a saved view',
  access: member,
  limit: writes,
  failures: ['not_found', 'view_limit'],
  headers: ['Set-Cookie'],
  input: z.object({ id: viewId, name: viewName }),
  output: Done,
  async run(view, context, reply) {
    const stored = await viewsOf(context, reply);
    assertDone(await stored.rename(view), stored.max);
    return { ok: true as const };
  },
});

export const deleteView = operation({
  method: 'DELETE',
  path: '/api/views',
  summary: 'Delete a saved view',
  access: member,
  limit: writes,
  failures: ['not_found'],
  headers: ['Set-Cookie'],
  input: z.object({ id: viewId }),
  output: Done,
  async run({ id }, context, reply) {
    const stored = await viewsOf(context, reply);
    assertDone(await stored.remove(id), stored.max);
    return { ok: true as const };
  },
});

function assertDone(change: ViewChange, max: number): void {
  if (change === 'unknown') throw new Problem('not_found', 'View not found.');
  if (change === 'full')
    throw new Problem(
      'view_limit',
      `There is no room for another view: at most ${max} can be saved. Delete one first.`,
    );
  if (change === 'same_name')
    throw invalidRequest([{ field: 'name', reason: 'invalid', message: 'You have a view of this name.' }]);
}
