// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { usePersonCrumbs } from '../../app/routes/links.ts';
import { drawInRoot } from './in-root.tsx';

const page = { now: 0, zone: 'UTC', base: '' };

function Crumbs() {
  return usePersonCrumbs('octo', { label: 'bo', href: '/contributors/bo' })
    .map(({ label, href }) => `${label} ${href}`)
    .join(', ');
}

test.each([
  [['team'], 'Team /team, octo /team?org=octo, bo /contributors/bo'],
  [['repositories'], 'Repositories /repositories, bo /contributors/bo'],
])('pages about a person lead to the team only who may open it: %j', (pages, expected) => {
  const known = { ...page, pages };
  expect(drawInRoot(<Crumbs />, known).container.textContent).toBe(expected);
});
