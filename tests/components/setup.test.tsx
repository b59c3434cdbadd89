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
    { id: 'root', path: '/setup', Component: () => <Form loaderData={loaderData} />, loader: () => pageContext },
  ]);
  const { container } = render(
    <Page initialEntries={['/setup']} hydrationData={{ loaderData: { root: pageContext } }} />,
  );
  await screen.findByText('Who may sign in');
  return container.textContent ?? '';
}

const pageContext = {
  base: '',
  pages: [],
  account: null,
  csrf: '',
  webUrl: 'https://codehost.example',
  hostName: 'codehost.example',
};

test('who signs in first is shown that they own the installation', async () => {
  const text = await show('first');
  expect(text).toContain('The first account that signs in owns this installation.');
  expect(text).toContain('with a list, nobody becomes the owner');
  expect(text).not.toContain('Nobody can sign in');
});

test('the host that the token is of is named, and one button is filled', async () => {
  const text = await show('first');
  expect(text).toContain('Sign in with a codehost.example token');
  expect(text).toContain('Create one on codehost.example');
  expect(screen.getAllByRole('button').map(({ className }) => className)).toEqual(['primary']);
});

test('where an owner could not be stored, nobody is promised to become one', async () => {
  const text = await show('nobody');
  expect(text).toContain('Nobody can sign in yet.');
  expect(text).toContain('Add your account to STANDALONE_ALLOWED_LOGINS');
  expect(text).not.toContain('The first account that signs in owns');
});

test('every scope and permission that a write needs is named, and that the service writes', async () => {
  const text = await show('first');
  for (const name of ['repo', 'workflow', 'Issues', 'Contents', 'Pull requests', 'Workflows'])
    expect(text).toContain(name);
  expect(text).toContain('writes issues and pull requests you ask for');
});
