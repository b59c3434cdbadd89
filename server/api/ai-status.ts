import { z } from 'zod';
import { member } from '../access/rules.ts';
import { operation } from './operation.ts';

export const getAiStatus = operation({
  method: 'GET',
  path: '/api/ai/status',
  summary: 'Whether texts are generated here, and by which providers',
  access: member,
  cache: 'private, max-age=60',
  input: z.object({}),
  output: z.object({ enabled: z.boolean(), providers: z.array(z.string()) }),
  run: (_input, { services }) => services.ai.status(),
});
