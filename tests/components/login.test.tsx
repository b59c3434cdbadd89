// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import Login from '../../app/routes/login.tsx';

const pageContext = { base: '', pages: [], account: null, csrf: '', hostName: 'codehost.example' };

test('says what each scope of the service is for, and what is written with it', async () => {
  const scopes = ['read:user', 'read:org', 'repo', 'workflow', 'write:packages'];
  const Route = Login as unknown as ComponentType<{ loaderData: object }>;
  const loaderData = { next: '/', error: null, rejected: false, scopes };
  const Page = createRoutesStub([
    { id: 'root', path: '/login', Component: () => <Route loaderData={loaderData} />, loader: () => pageContext },
  ]);
  const { container } = render(
    <Page initialEntries={['/login']} hydrationData={{ loaderData: { root: pageContext } }} />,
  );
  await screen.findByText('Requested permissions');
  const texts = Object.fromEntries(
    [...container.querySelectorAll('dt')].map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );
  expect(Object.keys(texts)).toEqual(scopes);
  const others = scopes.filter((name) => texts[name]?.startsWith('Requested by the operator'));
  expect(others).toEqual(['write:packages']);
  expect(texts.repo).toContain('only issues and pull requests you ask for');
  expect(texts.workflow).toContain('pull requests you ask for');
});
