import { expect, test } from 'vitest';
import { visitService } from '../endpoints.ts';

const visit = visitService({ MODE: 'organization' });

interface Entry {
  action: string;
  target: string;
  actor: { login: string };
  before: object | null;
  after: object | null;
}

async function change(method: string, path: string, body?: object) {
  const answer = await visit.service.ask(method, path, { as: 'token-ann', ...(body && { body }) });
  expect([path, answer.status]).toEqual([path, expect.toSatisfy((status) => status < 300)]);
  return answer.body;
}

/** The newest entries, the newest first. */
async function newest(count: number): Promise<Entry[]> {
  const { body } = await visit.service.ask('GET', `/api/admin/audit?category=all&limit=${count}`, { as: 'token-ann' });
  return body.entries.map(({ action, target, actor, before, after }: Entry) => ({
    action,
    target,
    actor: actor.login,
    before,
    after,
  }));
}

const email = { enabled: true, provider: 'postmark', from_address: 'Metrics <metrics@codehost.example>' };
const ai = { enabled: true, provider: 'openai', model: 'gpt-5-mini' };
const secret = 'a-key-that-nobody-reads-4711';
const by = { actor: 'ann' };

const changes = [
  {
    target: 'ai',
    path: '/api/settings/ai',
    first: { ...ai, api_key: secret },
    second: { ...ai, model: 'gpt-5-nano' },
    created: { ...ai, base_url: '', key_changed: true },
    before: { model: 'gpt-5-mini' },
    after: { model: 'gpt-5-nano' },
  },
  {
    target: 'email',
    path: '/api/settings/email',
    first: { ...email, api_key: secret },
    second: { ...email, enabled: false },
    created: { ...email, from_address: 'Metrics <m•••@codehost.example>', key_changed: true },
    before: { enabled: true },
    after: { enabled: false },
  },
  {
    target: 'team',
    path: '/api/settings/team',
    first: { timezone: 'UTC', start: 9, end: 17 },
    second: { timezone: 'UTC', start: 8, end: 17 },
    created: { timezone: 'UTC', start: 9, end: 17 },
    before: { start: 9 },
    after: { start: 8 },
  },
  {
    target: 'working_habits',
    path: '/api/settings/working-habits',
    first: { files_per_commit: 5, lines_per_commit: 100, commits_per_pr: 9 },
    second: { files_per_commit: 6, lines_per_commit: 100, commits_per_pr: 9 },
    created: { files_per_commit: 5, lines_per_commit: 100, commits_per_pr: 9 },
    before: { files_per_commit: 5 },
    after: { files_per_commit: 6 },
  },
];

test.each(changes)('a change of the setting $target leaves one row each, without its key', async (one) => {
  const { target, path, first, second, created, before, after } = one;
  const action = `settings.${target}_saved`;
  await change('PUT', path, first);
  expect(await newest(1)).toEqual([{ ...by, action, target, before: null, after: created }]);
  await change('PUT', path, second);
  await change('PUT', path, second);
  expect(await newest(2)).toEqual([
    { ...by, action, target, before, after },
    { ...by, action, target, before: null, after: created },
  ]);
  const { text } = await visit.service.ask('GET', '/api/admin/audit?category=all', { as: 'token-ann' });
  expect(text).not.toContain(secret);
  expect(text).not.toContain('metrics@codehost.example');
});

test('rules name their recipients masked', async () => {
  const rule = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };
  const note = 'ask bo@codehost.example, https://hooks.slack.com/services/T0/B0/KEY';
  const mail = { ...rule, channel: 'email', destination: 'ann@codehost.example', owner_note: note };
  const slack = { ...rule, channel: 'slack', destination: 'https://hooks.slack.com/services/T0/B0/KEY' };
  const { rule: mailed } = await change('POST', '/api/alerts', mail);
  await change('POST', '/api/alerts', slack);
  await change('PATCH', '/api/alerts', { id: mailed.id, destination: 'bo@codehost.example' });
  await change('DELETE', `/api/alerts?id=${mailed.id}`);
  const masked = (destination: string) => ({ destination });
  expect(await newest(4)).toMatchObject([
    { action: 'alert.deleted', before: masked('b•••@codehost.example'), after: null },
    { action: 'alert.updated', before: masked('a•••@codehost.example'), after: masked('b•••@codehost.example') },
    { action: 'alert.created', after: masked('https://hooks.slack.com/•••') },
    {
      action: 'alert.created',
      after: {
        ...masked('a•••@codehost.example'),
        ownerNote: 'ask b•••@codehost.example, https://hooks.slack.com/•••',
      },
    },
  ]);
});
