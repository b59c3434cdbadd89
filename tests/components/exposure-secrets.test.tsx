// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ReachedSecrets } from '../../app/routes/org/exposure-reach.tsx';
import { ExposedSecrets, SecretsCard } from '../../app/routes/org/exposure-secrets.tsx';

const totalsOf = (more: object = {}) => ({
  attempts: { proven: 1, possible: 2, unknown: 0, no: 0 },
  secrets_named: 2,
  attempts_all_secrets: 0,
  attempts_id_token: 0,
  attempts_write_token: 0,
  attempts_token_unknown: 0,
  attempts_secrets_unknown: 0,
  ...more,
});
const row = { name: 'NPM_TOKEN', repositories: ['octo/a'], attempts: 3, affected: 1, handed: 2, environments: [] };

function textOf(element: React.ReactElement): string {
  const Root = createRoutesStub([{ id: 'root', path: '/', Component: () => element }]);
  const known = { now: 0, zone: 'UTC', base: '', csrf: '' };
  const holder = document.createElement('div');
  holder.innerHTML = renderToString(<Root hydrationData={{ loaderData: { root: known } }} />);
  return (holder.textContent ?? '').replaceAll('\u00a0', ' ');
}
const card = (more?: object) => textOf(<SecretsCard totals={totalsOf(more) as never} />);
const table = (secrets: object[], more?: object) =>
  textOf(<ExposedSecrets data={{ org: 'octo', secrets, totals: totalsOf(more) } as never} />);
const cell = (use: object) => textOf(<ReachedSecrets use={{ verdict: 'proven', ...use } as never} />);

test('what is in reach is counted, and is at least that where something was not read', () => {
  expect(card()).toMatch(/^Secrets in reach2/);
  expect(card({ attempts_secrets_unknown: 1 })).toMatch(/^Secrets in reachat least 2.*Not known of 1 attempt/);
  expect(card({ attempts_all_secrets: 1 })).toMatch(/^Secrets in reachat least 2.*1 attempt could read every secret/);
  expect(card({ secrets_named: 0 })).toMatch(/^Secrets in reach0/);
});

test('what was not read is never none', () => {
  const unread = { secrets_named: null, attempts_secrets_unknown: 3 };
  expect(card(unread)).toMatch(/^Secrets in reach–The workflow files were not read, or do not name them\./);
  expect(table([], unread)).toContain('No secret is known to have been in reach.');
  expect(table([], { secrets_named: 0 })).toContain('No secret was in reach.');
  expect(card({ secrets_named: 0, attempts_all_secrets: 1 })).toContain('–Every secret, named or not.');
});

test('a token of which something is not known is said to be so', () => {
  expect(card()).not.toContain('GITHUB_TOKEN');
  expect(card({ attempts_token_unknown: 2 })).toContain('The GITHUB_TOKEN of 2 attempts is not known in full.');
});

test('where no run is affected or possibly, there is neither figure nor table', () => {
  const none = { attempts: { proven: 0, possible: 0, unknown: 4, no: 1 }, secrets_named: null };
  expect([card(none), table([], none)]).toEqual(['', '']);
});

test('a secret has its repositories and attempts, and every secret is named as such', () => {
  const repositories = ['octo/a', 'octo/b', 'octo/c', 'octo/d'];
  const text = table([
    { ...row, name: '*', environments: ['production'] },
    { ...row, repositories },
  ]);
  expect(text).toContain('Every secretenvironment production');
  expect(text).toContain('NPM_TOKENocto/a, octo/b, octo/cand 1 more31 affected2');
});

test('of a run the names, or that they are not known', () => {
  expect(cell({ secrets: ['A', 'B'], all_secrets: false })).toBe('A, B');
  expect(cell({ secrets: ['A'], all_secrets: null })).toBe('Aor more');
  expect(cell({ secrets: null, all_secrets: null })).toBe('not known');
  expect(cell({ secrets: null, all_secrets: true })).toBe('Every secret');
  expect(cell({ secrets: [], all_secrets: false })).toBe('none');
  const grave = { id_token: true, permissions: { contents: 'write' }, runner: 'self_hosted', log_public: true };
  expect(cell({ secrets: [], all_secrets: false, ...grave })).toBe(
    'nonecloud credentials, token can write, self-hosted runner, public log',
  );
  expect(cell({ secrets: [], all_secrets: false, permissions: { contents: 'read' } })).toBe('none');
  const read = { secrets: [], all_secrets: false, permissions: { contents: 'read' }, id_token: false };
  expect(cell(read)).toBe('none');
  expect(cell({ ...read, permissions: null })).toBe('nonetoken not known');
  expect(cell({ ...read, id_token: null })).toBe('nonecloud credentials not known');
  expect(cell({ verdict: 'unknown', secrets: null, all_secrets: null })).toBe('');
});
