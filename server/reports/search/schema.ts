import { z } from 'zod';
import { featureKeys } from '../../access/features.ts';

/** How many of each kind are answered. */
export const maxFound = 10;

export const SearchReport = z
  .object({
    q: z.string(),
    repositories: z
      .array(z.object({ repo: z.string(), archived: z.boolean() }))
      .meta({ description: `At most ${maxFound}, as the others; names that begin with the text first.` }),
    workflows: z.array(z.object({ repo: z.string(), workflow_id: z.number(), workflow: z.string() })).meta({
      description: 'With stored runs; the latest run first.',
    }),
    people: z.array(z.object({ login: z.string(), owner: z.string() })).meta({
      description: 'Authors of stored pull requests that ended in the last 90 days; bots are excluded.',
    }),
    withheld: z
      .array(z.object({ feature: z.enum(featureKeys), fields: z.array(z.string()) }))
      .meta({ description: 'Fields that are empty because a feature is not granted.' }),
  })
  .meta({ id: 'SearchReport' });
