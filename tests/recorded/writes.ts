import type { Caller } from './caller.ts';

interface Write {
  method: string;
  path: string;
  bodies: unknown[];
}

const web = { scope: 'repo:octo/web', metric: 'failure_rate', threshold: 20 };
const mail = { channel: 'email', destination: 'ann@codehost.example' };
const issue = { owner: 'octo', repo: 'web', title: 'Slow' };
const ai = { enabled: true, provider: 'openai' };
const email = { enabled: false, provider: 'resend' };
const links = '/api/admin/identity-links';

/** What changes something, with bodies that are taken and bodies that are rejected, in the order in which it is sent. */
const writes: Write[] = [
  {
    method: 'POST',
    path: '/api/alerts',
    bodies: [
      web,
      web,
      { ...web, scope: 'repo:Octo/WEB', threshold: 30, window_hours: 48, min_sample: 3, owner_note: 'Ask Bo.' },
      { ...web, ...mail },
      { ...web, scope: 'org:octo', metric: 'leadership_digest', destination: 'ann@codehost.example' },
      { ...web, scope: 'org:octo', metric: 'pr_abandon_rate' },
      { ...web, metric: 'success_streak', threshold: 3 },
      { ...web, scope: 'octo/web' },
      { ...web, scope: 'repo:octo/nowhere' },
      { ...web, metric: 'nothing' },
      { ...web, threshold: 100.1 },
      { ...web, window_hours: 0 },
      { ...web, channel: 'fax' },
      { ...web, channel: 'email' },
      { ...web, channel: 'slack', destination: 'https://hooks.slack.example/x' },
      { ...web, owner_note: 'x'.repeat(501) },
      { ...web, surprise: 1 },
      {},
      [],
      'no json',
    ],
  },
  {
    method: 'PATCH',
    path: '/api/alerts',
    bodies: [
      { id: 1, enabled: false },
      { id: 1, enabled: true, threshold: 12.5, window_hours: 72, owner_note: null, min_sample: 20 },
      { id: 1, muted_until: '2026-11-18T10:00:00Z' },
      { id: 1, muted_until: null },
      { id: 1, muted_until: '2020-01-01T00:00:00Z' },
      { id: 1, threshold: 101 },
      { id: 1, scope: 'org:octo' },
      { id: 1 },
      { id: 4711, enabled: false },
      { enabled: true },
      {},
    ],
  },
  { method: 'POST', path: '/api/alerts/test', bodies: [{ rule_id: 1 }, { rule_id: 3 }, { rule_id: 4711 }, {}] },
  { method: 'GET', path: '/api/alerts', bodies: [undefined] },
  { method: 'GET', path: '/api/alerts?events=1', bodies: [undefined] },
  { method: 'GET', path: '/api/alerts?scope=org:OCTO&format=csv', bodies: [undefined] },
  { method: 'DELETE', path: '/api/alerts?id=2', bodies: [undefined, undefined] },
  { method: 'DELETE', path: '/api/alerts', bodies: [undefined] },
  {
    method: 'POST',
    path: '/api/codehost/create-issue',
    bodies: [
      { ...issue, idempotency_key: 'key-00000001', body: 'Since *Monday*.' },
      { ...issue, idempotency_key: 'key-00000001', body: 'Since *Monday*.' },
      { ...issue, idempotency_key: 'key-00000001', title: 'Another' },
      { ...issue, idempotency_key: 'short' },
      { ...issue, title: ' ' },
      { ...issue, title: 'x'.repeat(257) },
      { ...issue, repo: 'nowhere' },
      { ...issue, repo: 'no-issues' },
      { ...issue, repo: 'old' },
      { owner: 'octo' },
      issue,
      issue,
    ],
  },
  {
    method: 'PUT',
    path: '/api/settings/team',
    bodies: [
      { timezone: 'Europe/Berlin', start: 9, end: 17 },
      { timezone: 'Mars/Olympus', start: 9, end: 17 },
      { timezone: 'UTC', start: 17, end: 9 },
      { timezone: 'UTC', start: '9', end: 17 },
      {},
    ],
  },
  {
    method: 'PUT',
    path: '/api/settings/working-habits',
    bodies: [
      { files_per_commit: 5, lines_per_commit: 100, commits_per_pr: 9 },
      { files_per_commit: 0, lines_per_commit: 100, commits_per_pr: 9 },
      { files_per_commit: 5 },
      {},
    ],
  },
  {
    method: 'PUT',
    path: '/api/settings/ai',
    bodies: [
      { ...ai, api_key: 'key-of-tests-0123', model: 'gpt-5-mini' },
      { enabled: false, provider: 'anthropic' },
      { ...ai, base_url: 'https://10.0.0.1/v1' },
      { ...ai, base_url: 'no address' },
      { ...ai, model: 'two words' },
      { enabled: 'true', provider: 'openai' },
      { enabled: true, provider: 'nobody' },
      {},
    ],
  },
  {
    method: 'PUT',
    path: '/api/settings/email',
    bodies: [
      { ...email, from_address: 'Lamps <lamps@codehost.example>', api_key: 're_resend-key-CANARY-0002' },
      email,
      { ...email, enabled: true },
      { ...email, provider: 'smtp' },
      { ...email, from_address: 'a@b@c' },
      { ...email, api_key: 'two words' },
      {},
    ],
  },
  { method: 'POST', path: '/api/settings/email/test', bodies: [{ to: 'ann@codehost.example' }, { to: 'nobody' }, {}] },
  {
    method: 'PUT',
    path: '/api/admin/users/9003/groups',
    bodies: [{ groups: ['dev', 'pm'] }, { groups: [] }, { groups: ['dev', 'dev'] }, { groups: ['kings'] }, {}],
  },
  { method: 'PUT', path: '/api/admin/users/101/groups', bodies: [{ groups: ['admin', 'dev'] }] },
  { method: 'PUT', path: '/api/admin/users/4711/groups', bodies: [{ groups: ['dev'] }] },
  { method: 'PUT', path: '/api/admin/users/none/groups', bodies: [{ groups: ['dev'] }] },
  {
    method: 'PUT',
    path: '/api/admin/permissions',
    bodies: [
      { group: 'dev', flag: 'dora', granted: false },
      { group: 'dev', flag: 'dora', granted: true },
      { group: 'admin', flag: 'dora', granted: false },
      { group: 'dev', flag: 'nothing', granted: false },
      { group: 'dev', flag: 'dora', granted: 'no' },
      {},
    ],
  },
  {
    method: 'POST',
    path: links,
    bodies: [
      { alias: 'ana-old', primary: 'ana' },
      { alias: 'ana-old', primary: 'ana' },
      { alias: 'Nobody Known', primary: 'bob' },
      { alias: 'ana', primary: 'ana' },
      { alias: 'ana', primary: 'ana-old' },
      { alias: '', primary: 'ana' },
      {},
    ],
  },
  { method: 'GET', path: links, bodies: [undefined] },
  {
    method: 'POST',
    path: `${links}/distinct`,
    bodies: [{ a: 'bob', b: 'cy' }, { a: 'bob', b: 'cy' }, { a: 'bob', b: 'bob' }, { a: 'ana', b: 'ana-old' }, {}],
  },
  { method: 'GET', path: `${links}/suggestions?owner=octo&repo=web`, bodies: [undefined] },
  { method: 'DELETE', path: `${links}/distinct?a=bob&b=cy`, bodies: [undefined, undefined] },
  { method: 'DELETE', path: `${links}?alias=ana-old`, bodies: [undefined, undefined] },
  { method: 'DELETE', path: `${links}?alias=`, bodies: [undefined] },
  { method: 'DELETE', path: '/api/admin/sessions?login=nobody', bodies: [undefined] },
  { method: 'DELETE', path: '/api/admin/sessions', bodies: [undefined] },
];

/** Sends everything that changes something, as somebody. */
export async function sendWrites(call: Caller, as: string | null = 'token-ann'): Promise<void> {
  for (const { method, path, bodies } of writes) for (const body of bodies) await call(method, path, { as, body });
}

/** Sends of everything that changes something what would be taken first, and no more. */
export async function sendFirstWrites(call: Caller, as: string | null): Promise<void> {
  for (const { method, path, bodies } of writes) await call(method, path, { as, body: bodies[0] });
}
