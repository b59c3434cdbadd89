// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import SetUp from '../../app/routes/setup.tsx';

async function show(admission: 'first' | 'nobody') {
  const Form = SetUp as unknown as ComponentType<{ loaderData: object }>;
  const loaderData = { returnTo: '/', rejected: false, admission };
  const Page = createRoutesStub([
    { id: 'root', path: '/setup', Component: () => <Form loaderData={loaderData} />, loader: () => chrome },
  ]);
  const { container } = render(<Page initialEntries={['/setup']} hydrationData={{ loaderData: { root: chrome } }} />);
  await screen.findByText('Who may sign in');
  return container.textContent ?? '';
}

const chrome = { base: '', pages: [], account: null, csrf: '', webUrl: 'https://codehost.example' };

test('who signs in first is told that they own the installation', async () => {
  const words = await show('first');
  expect(words).toContain('The first account that signs in owns this installation.');
  expect(words).not.toContain('Nobody can sign in');
});

test('where an owner could not be stored, nobody is promised to become one', async () => {
  const words = await show('nobody');
  expect(words).toContain('Nobody can sign in yet.');
  expect(words).toContain('List your account in STANDALONE_ALLOWED_LOGINS');
  expect(words).not.toContain('The first account that signs in owns');
});
