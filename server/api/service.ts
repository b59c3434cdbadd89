import { z } from 'zod';
import { anyone } from '../access/rules.ts';
import { operation } from './operation.ts';

export const getHealth = operation({
  method: 'GET',
  path: '/api/health',
  summary: 'Whether the process is alive; calls neither the database nor the platform',
  access: anyone,
  cache: 'no-store',
  input: z.object({}),
  output: z.object({ status: z.literal('ok') }),
  run: async () => ({ status: 'ok' as const }),
});
