// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { EventTable } from '../../app/routes/alerts/events.tsx';
import { drawInRoot } from './in-root.tsx';

const page = { now: Date.parse('2026-11-16T10:00:00Z'), zone: 'UTC', base: '' };
const at = (minute: number) => Date.UTC(2026, 10, 15, 12, minute);
const changeAt = (id: number, minute: number) => ({
  id,
  at: new Date(at(minute)).toISOString(),
  action: 'alert.created',
  actor: { login: `login-${id}` },
  target: '9',
  before: null,
  after: null,
});
const changes = [changeAt(1, 50), changeAt(2, 30), changeAt(3, 10)];

function draw(search: string, nextCursor: string | null, hasOlderChanges = false) {
  const table = (
    <EventTable
      rules={[]}
      events={[]}
      changes={changes as never}
      hasOlderChanges={hasOlderChanges}
      nextCursor={nextCursor}
    />
  );
  const { container } = drawInRoot(table, page, `/alerts${search}`);
  const links = [...container.querySelectorAll('nav a')].map((link) => [link.textContent, link.getAttribute('href')]);
  return { text: container.textContent ?? '', links };
}

const shown = (text: string) => [1, 2, 3].filter((id) => text.includes(`login-${id}`));

test('a page has the changes of rules of its time, and leads to the next one', () => {
  const first = draw('', `${at(40)}.7`);
  expect(shown(first.text)).toEqual([1]);
  expect(first.links).toEqual([['Older', `?cursor=${at(40)}.7#fired`]]);
  const second = draw(`?cursor=${at(40)}.7`, `${at(20)}.3`);
  expect(shown(second.text)).toEqual([2]);
  expect(second.links.map(([label]) => label)).toEqual(['Newest', 'Older']);
  const last = draw(`?cursor=${at(20)}.3`, null);
  expect(shown(last.text)).toEqual([3]);
  expect(last.text).toContain('End of history.');
});

test('a history that fits a page has no pages, and says where older changes are', () => {
  const whole = draw('', null, true);
  expect(shown(whole.text)).toEqual([1, 2, 3]);
  expect(whole.links).toEqual([]);
  expect(whole.text).toContain('older ones are in the audit log');
});
