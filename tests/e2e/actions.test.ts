import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Site, startSite } from '../support/site.ts';
import { getText } from './visited-site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const read = async (path: string) => {
  const { status, text } = await site.visit(path);
  expect(status).toBe(200);
  return { text, content: getText(text) };
};

test('the sample organization has an alarming move and a clean one, each one click from its history', async () => {
  const { text, content } = await read('/demo/org/lumen-harbor/actions');
  expect(content).toContain('Tags moved 3');
  expect(content).toContain('Alarming moves 1');
  expect(content).toContain('What composite actions and called workflows use in turn is included.');
  expect(text).toContain('name=harbor-tools%2Fsetup-lantern&amp;ref=v2#history');
  const alarming = await read('/demo/org/lumen-harbor/actions?name=harbor-tools%2Fsetup-lantern&ref=v2');
  expect(alarming.content).toContain('History of harbor-tools/setup-lantern@v2');
  expect(alarming.content).toContain('Force-moved');
  const clean = await read('/demo/org/lumen-harbor/actions?name=actions%2Fcheckout&ref=v6');
  expect(clean.content).toContain('Moved forward');
});

test('a filter chooses rows, and what nothing matches says so', async () => {
  const pinned = await read('/demo/org/lumen-harbor/actions?pin=sha');
  expect(pinned.content).toContain('8b1f3c0d9e7a');
  expect(pinned.content).not.toContain('harbor-tools/ship-it');
  expect((await read('/demo/org/lumen-harbor/actions?q=nothing')).content).toContain('No actions match.');
});

test('what is used in turn says through which action, and what could not be followed is listed', async () => {
  const { content } = await read('/demo/org/lumen-harbor/actions');
  expect(content).toContain('harbor-tools/trim-wick');
  expect(content).toContain('through harbor-tools/setup-lantern@v2');
  expect(content).toContain('Immutable release');
  expect(content).toContain('What could not be followed');
  expect(content).toContain('Named by an expression');
});

test('the security page of a repository leads to the actions of its organization', async () => {
  const { text } = await read('/demo/repos/lumen-harbor/tidewater-web/security');
  expect(text).toContain('href="/demo/org/lumen-harbor/actions"');
});

test('answers of the sample have the same figures as its page', async () => {
  const { totals } = JSON.parse((await read('/demo/api/exposure/actions?org=lumen-harbor')).text);
  expect(totals).toMatchObject({ moves_90d: 3, alarming_90d: 1 });
});
