import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Explained } from '../../server/reports/kernel/evidence.ts';
import { explainFields } from '../../server/sharing/explain-fields.ts';
import { pickShared } from '../../server/sharing/fields.ts';
import { namedLogins } from '../../server/sharing/logins.ts';

test('logins are found in whichever form answers have people', () => {
  const answer = {
    runs: [
      { actor: { login: 'ann', avatar_url: '' }, name: 'deploy' },
      { triggering_actor: { login: 'bo', avatar_url: '' } },
    ],
    author: 'cy',
    requested_reviewers: ['di'],
    creator: { login: 'robot', is_bot: true },
  };
  expect(namedLogins(answer)).toEqual(['ann', 'bo', 'cy', 'di']);
});

test('what an explanation is called and how it is defined may name somebody', () => {
  const labels = [
    'Run 12',
    'Run 12, attempt 2',
    'Failed with run 12',
    'Commit 0a1b2c3',
    '0a1b2c3 to preview-ann',
    'web: deploy ann #7',
    'octo/web#8',
    '#9 fixes #3 of ann',
    'Run of ann',
    '0a1b2c3 by ann',
    'ann/0a1b2c3',
  ].map((label) => ({ label }));
  const answer = {
    metric: 'critical_path_time',
    label: 'On the critical path: deploy-ann',
    definition: 'Deployments to preview-ann.',
    counted: [{ label: '#12 Add a login', note: 'by ann' }, { label: 'ann/1.2' }, ...labels],
  };
  const clean = (text: string) => text.replaceAll('ann', 'person-1');
  expect(pickShared(answer as unknown as z.output<typeof Explained>, explainFields, clean)).toEqual({
    metric: 'critical_path_time',
    label: 'On the critical path: deploy-person-1',
    definition: 'Deployments to preview-person-1.',
    counted: [
      { label: '#12', note: null },
      ...['Item', 'Run 12', 'Run 12, attempt 2', 'run 12', 'Commit 0a1b2c3', '0a1b2c3'].map((label) => ({ label })),
      ...['#7', '#8', '#9', 'Item', 'Item', 'Item'].map((label) => ({ label })),
    ],
  });
});
