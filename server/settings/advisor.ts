import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { within } from '../platform/fields.ts';
import { setting } from './setting.ts';

/** As `owner/name`. */
const repository = z.string().regex(/^[^/\s]+\/[^/\s]+$/, 'is not owner/name');

const kind = z.string().regex(/^ADV-\d{2}$/, 'is not a kind, such as ADV-01');

/** What is recommended for workflow files, and how; contract of the advisor, section 8.4. */
export const advisor = setting({
  key: 'advisor',
  title: 'CI recommendations',
  shape: z.object({
    enabled: z.boolean().meta({ description: '`false` answers every operation of the advisor with `advisor_off`.' }),
    repositories: z
      .union(
        [z.literal('tracked'), z.array(repository).min(1).max(500)],
        'is neither `tracked` nor a list of owner/name',
      )
      .meta({ description: 'Those that recommendations are made for: all that are synchronized, or these alone.' }),
    kinds_off: z.array(kind).max(30).meta({ description: 'Kinds that are not looked for.' }),
    window_days: within(28, 90).meta({ description: 'Days of history that predictions rest on.' }),
    pull_requests: z.boolean().meta({ description: 'Whether pull requests can be opened from here.' }),
    pull_request_cost: z.boolean().meta({
      description: 'Whether their text says what the change saves at list prices, where its author may see costs.',
    }),
    draft_default: z
      .boolean()
      .meta({ description: 'Whether pull requests are drafts unless their author says otherwise.' }),
  }),
  fallback: {
    enabled: true,
    repositories: 'tracked',
    kinds_off: [],
    window_days: 90,
    pull_requests: true,
    pull_request_cost: false,
    draft_default: false,
  },
  saved: async (value, store, { before, now }) => {
    const isJudgedAlike =
      value.window_days === before.window_days && isDeepStrictEqual(value.kinds_off, before.kinds_off);
    if (!isJudgedAlike) await store.advisorTotals.forget(now);
  },
});

/** The same as it is shown: who sees none of the chosen repositories sees none. */
export const shownAdvisor = advisor.shape.extend({
  repositories: z
    .union([z.literal('tracked'), z.array(repository).max(500)])
    .meta({ description: 'Those that recommendations are made for, without those that the caller does not see.' }),
});

export type AdvisorSettings = z.output<typeof advisor.shape>;
