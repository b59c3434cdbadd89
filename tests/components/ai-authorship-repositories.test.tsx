// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AuthorshipRepositories } from '../../app/routes/org/ai-authorship-repositories.tsx';
import { drawInRoot } from './in-root.tsx';

type Data = Parameters<typeof AuthorshipRepositories>[0]['data'];

test('a repository of few weeks has a difference, and no interval', () => {
  const row = { repo: 'octo/web', sets: 12, effect: 4, suppressed: false };
  const rows = [
    { ...row, interval: null },
    { ...row, repo: 'octo/api', interval: { low: -2, high: 10 } },
  ];
  const data = { label: 'Merged within 30 days', effect_unit: 'points', repositories: rows } as unknown as Data;
  const page = { now: 0, zone: 'UTC', base: '' };
  drawInRoot(<AuthorshipRepositories data={data} csvHref="/rows.csv" />, page);
  const cellsOf = (name: string) => screen.getByRole('row', { name: new RegExp(name) }).textContent;
  expect(cellsOf('octo/web')).toContain('Fewer than 10 weeks.');
  expect(cellsOf('octo/api')).toMatch(/−2\spoints to \+10\spoints/);
});
