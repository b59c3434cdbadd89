import { z } from 'zod';
import { featureOrOwn } from '../../access/rules.ts';
import { operation } from '../../api/operation.ts';
import { login, owner } from '../../api/parameters.ts';
import { ContributorProfile } from './answer.ts';
import { contributorProfile } from './report.ts';

export const getContributorProfile = operation({
  method: 'GET',
  path: '/api/codehost/contributor-profile',
  summary:
    'One person over 90 days: pull requests, reviews, activity and the change between the halves; as rows, the newest pull requests',
  access: featureOrOwn('contributorProfile'),
  input: z.object({
    owner,
    login,
    requested_reviews: z.enum(['0', '1']).default('0').meta({
      description:
        '1 adds the talking point `reviews_waiting`: one request each for up to five repositories that the person worked in last. Needs `prLifecycle`.',
    }),
  }),
  output: ContributorProfile,
  rows: ({ recent_prs }) => recent_prs,
  run: contributorProfile,
});
