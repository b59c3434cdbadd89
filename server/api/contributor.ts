import { z } from 'zod';
import { featureOrOwn } from '../access/rules.ts';
import { contributorProfile } from '../reports/contributor-profile.ts';
import { ContributorProfile } from '../reports/contributor-profile-answer.ts';
import { operation } from './operation.ts';
import { login, owner } from './parameters.ts';

export const getContributorProfile = operation({
  method: 'GET',
  path: '/api/codehost/contributor-profile',
  summary:
    'One person over 90 days: pull requests, reviews, activity and the change between the halves; as rows, the newest pull requests',
  access: featureOrOwn('contributorProfile'),
  input: z.object({ owner, login }),
  output: ContributorProfile,
  rows: ({ recent_prs }) => recent_prs,
  run: contributorProfile,
});
