import { z } from 'zod';
import { anyone } from '../access/rules.ts';
import { operation } from './operation.ts';

export const getHealth = operation({
  method: 'GET',
  path: '/api/health',
  summary: 'Liveness check; calls neither the database nor GitHub',
  access: anyone,
  cache: 'no-store',
  input: z.object({}),
  output: z.object({ status: z.literal('ok') }),
  run: async () => ({ status: 'ok' as const }),
});

export const getReadiness = operation({
  method: 'GET',
  path: '/api/ready',
  summary: 'Readiness check; queries the database, where there is one',
  access: anyone,
  cache: 'no-store',
  failures: ['db_unavailable'],
  input: z.object({}),
  output: z.object({ status: z.literal('ready') }),
  async run(_input, { services: { store } }) {
    // One statement for all who want to know at that moment.
    await store?.versions.read(['settings']);
    return { status: 'ready' as const };
  },
});
