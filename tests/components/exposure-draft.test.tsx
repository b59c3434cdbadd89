// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ExposureDraft } from '../../app/routes/org/exposure-draft.tsx';

const nothing = { suspects: [], ignored: [], advisory: null, warnings: ['nothing_understood'], question: null };
const question = { name: 'some/tool', kind: null, range: null, from: null, to: null };
const suspect = { name: 'some/tool', kind: null, match: [{ type: 'any', value: null }] };

/** The page of a draft, as it is sent. */
function showDraft(draft: object) {
  const element = <ExposureDraft href="/org/octo/exposure" draft={draft as never} submitted={null} />;
  const Root = createRoutesStub([{ id: 'root', path: '/', Component: () => element }]);
  const known = { now: 0, zone: 'UTC', base: '', csrf: '' };
  const holder = document.createElement('div');
  holder.innerHTML = renderToString(<Root hydrationData={{ loaderData: { root: known } }} />);
  return { holder, text: (holder.textContent ?? '').replaceAll('\u00a0', ' ') };
}

test('where nothing was found, that is the title, and there is no empty list and no search', () => {
  const { holder, text } = showDraft(nothing);
  expect(text).toContain('Nothing found');
  expect(text).toContain('type the name of one above');
  expect(text).not.toContain('Understood');
  expect(holder.querySelectorAll('ul, a')).toHaveLength(0);
});

test('the times that a text names are shown, and bound no search', () => {
  const showWindow = (from: string | null, to: string | null) =>
    showDraft({ ...nothing, warnings: [], suspects: [{ ...suspect, window: { from, to } }], question });
  const { text, holder } = showWindow('2025-03-14T17:02:00.000Z', '2025-03-15T11:40:00.000Z');
  expect(text).toMatch(/Times in it: from .*14.* until .*15.*\. The search goes beyond them/);
  expect(holder.querySelector('a')?.getAttribute('href')).toBe('/org/octo/exposure?name=some%2Ftool');
  expect(showWindow(null, null).text).not.toContain('Times in it');
});

test('of a short SHA it is said how to write it, or the tag that it is', () => {
  const { text } = showDraft({ ...nothing, ignored: [{ text: 'a/b@1234567', reason: 'short_sha' }] });
  expect(text).toContain('a/b@1234567: a short SHA: write all 40 digits, or refs/tags/… for a tag');
});

test('that an advisory was withdrawn is said, and ends no search', () => {
  const advisory = { id: 'GHSA-2222-3333-4444', summary: 'Tags were moved', withdrawn_at: '2026-03-20T12:00:00.000Z' };
  const { text, holder } = showDraft({ ...nothing, suspects: [suspect], advisory, question });
  expect(text).toContain('Withdrawn');
  expect(text).toContain('Later runs are searched all the same.');
  expect(holder.querySelector('a')?.getAttribute('href')).toBe('/org/octo/exposure?name=some%2Ftool');
});
