import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { keepSituation, situationKeeper } from '../../server/http/situation.ts';

const at = (path: string, isDemo = true) => ({ isDemo, url: new URL(path, 'http://service.test') });
const page =
  '<a class="x" href="/demo">1</a><a href="/demo/ci?range=7#a">2</a><a href="/demo?situation=queue">3</a><a href="/docs">4</a><a href="?x">5</a><p title="<a href=&quot;/demo">é</p>';
const kept =
  '<a class="x" href="/demo?situation=flaky">1</a><a href="/demo/ci?range=7&amp;situation=flaky#a">2</a><a href="/demo?situation=queue">3</a><a href="/docs">4</a><a href="?x">5</a><p title="<a href=&quot;/demo">é</p>';

test('links of the demo keep its situation', () => {
  expect(keepSituation(page, at('/demo?situation=flaky'))).toBe(kept);
  expect(keepSituation(page, at('/demo'))).toBe(page);
  expect(keepSituation(page, at('/?situation=flaky', false))).toBe(page);
});

test('wherever a page is cut into parts', async () => {
  const bytes = Buffer.from(page);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const keeper = situationKeeper(at('/demo?situation=flaky'));
    keeper.write(bytes.subarray(0, cut));
    keeper.end(bytes.subarray(cut));
    expect(await text(keeper)).toBe(kept);
  }
});
