// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { ShareLink } from '../../app/routes/share-link.tsx';
import { drawInRoot } from './in-root.tsx';

const sharing = { mayShare: true, hasPublicBadges: false, appUrl: 'http://localhost:3000', isPageShareable: true };
const textOf = (privateNames: readonly string[] | null): string => {
  const context = { now: 0, zone: 'UTC', base: '', sharing };
  const { container, unmount } = drawInRoot(<ShareLink privateNames={privateNames} />, context);
  const { textContent } = container;
  unmount();
  return textContent;
};

test('a link says which names leave by it, and says so where that could not be read', () => {
  expect(textOf(['octo/payroll', 'octo/payroll'])).toContain('named by the link: octo/payroll.');
  expect(textOf([])).not.toMatch(/public|private/);
  expect(textOf(null)).toContain('Which repositories here are public could not be read.');
});
