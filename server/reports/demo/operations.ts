import { z } from 'zod';
import { anyone } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { clamped, repo } from '../../api/parameters.ts';
import { DemoAnswer, demoAnswer, demoResources } from './report.ts';

export const getDemo = operation({
  method: 'GET',
  path: '/api/demo',
  summary: 'Sample data in the shapes of the real answers',
  access: anyone,
  failures: ['not_found'],
  limit: {
    bucket: 'demo',
    times: ({ RATE_LIMIT_DEMO_PER_MINUTE: times }) => times,
    windowMs: 60_000,
    per: 'address',
    counts: 'after',
  },
  cache: 'public, max-age=3600',
  input: z.object({
    resource: z.enum(demoResources),
    repo: repo.optional().meta({ description: 'Repository of runs and summary; the first one where it is absent.' }),
    count: clamped(1, 200, 50),
  }),
  output: DemoAnswer,
  run: demoAnswer,
});
