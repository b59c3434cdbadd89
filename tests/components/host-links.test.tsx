// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CommitLink, PullRequestLink } from '../../app/components/host-links.tsx';
import { Trigger } from '../../app/routes/tables/run-columns.tsx';
import { drawInRoot } from './in-root.tsx';

const root = { now: Date.UTC(2026, 10, 24, 12), zone: 'UTC', base: '', webUrl: 'https://git.example.com' };
const repository = 'octo/web';
const sha = '0123456789abcdef0123456789abcdef01234567';

const getHref = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

test('commits and pull requests lead to the host', () => {
  drawInRoot(
    <>
      <CommitLink repository={repository} sha={sha} />
      <PullRequestLink repository={repository} number={12} />
    </>,
    root,
  );
  expect(getHref('0123456')).toBe(`https://git.example.com/octo/web/commit/${sha}`);
  expect(getHref('#12')).toBe('https://git.example.com/octo/web/pull/12');
});

test('those of the demo are named without a link', () => {
  drawInRoot(
    <>
      <CommitLink repository={repository} sha={sha} />
      <PullRequestLink repository={repository} number={12} />
    </>,
    { ...root, base: '/demo' },
  );
  expect(screen.queryAllByRole('link')).toHaveLength(0);
  expect(document.body.textContent).toBe('0123456#12');
});

test('what set a run off ends with its commit, where that is known', () => {
  const run = { event: 'pull_request', head_branch: 'fix/it', head_sha: sha };
  drawInRoot(<Trigger run={run} repository={repository} />, root);
  expect(document.body.textContent).toBe('pull request · fix/it · 0123456');
  expect(getHref('0123456')).toContain(`/commit/${sha}`);
  document.body.replaceChildren();
  drawInRoot(<Trigger run={{ ...run, head_sha: null }} repository={repository} />, root);
  expect(document.body.textContent).toBe('pull request · fix/it');
});
