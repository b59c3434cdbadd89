// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { SetupChecklist } from '../../app/routes/home/setup-checklist.tsx';

const pageContext = { base: '', pages: [], account: null, csrf: '', mode: 'standalone', now: 0, zone: 'UTC' };
const sync = { action: '/?index', scope: {}, isRunning: false, hasRepositories: true, isPartial: false };
const step = (name: 'sync' | 'webhook' | 'alert' | 'email', missing: 'not_reachable' | 'no_rule' | null) => ({
  step: name,
  missing,
  at: null,
  event: null,
});

test('a webhook that nothing can reach is optional, and not left to do', async () => {
  const steps = [step('sync', null), step('webhook', 'not_reachable'), step('alert', 'no_rule')];
  const setup = { steps, payload_url: 'http://localhost:3000/api/webhooks/codehost' };
  const List = () => <SetupChecklist setup={setup} submitted={null} sync={sync} />;
  const Page = createRoutesStub([{ id: 'root', path: '/', Component: List, loader: () => pageContext }]);
  render(<Page initialEntries={['/']} hydrationData={{ loaderData: { root: pageContext } }} />);
  const list = await screen.findByRole('region', { name: 'Set up' });
  expect(list.textContent).toContain('Set up: 1 of 2 done');
  expect(list.textContent).toContain('optional Webhook');
  expect(list.textContent).toContain('set APP_URL to a public https address');
  expect(list.textContent).not.toContain('/api/webhooks/codehost');
  expect(list.textContent).toContain('Next: Alert rule');
});
