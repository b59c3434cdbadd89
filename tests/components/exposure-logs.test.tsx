// @vitest-environment jsdom
import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { expect, test } from 'vitest';
import { ExposureLogs } from '../../app/routes/org/exposure-logs.tsx';

function textOf(canRead: boolean): string {
  const logs = { readable: 0, next: 0, waiting: 3, requests_at_least: 0, kept: 0, can_read: canRead };
  const Root = createRoutesStub([
    {
      id: 'root',
      path: '/',
      Component: () => <ExposureLogs data={{ logs } as never} question={{}} submitted={null} />,
    },
  ]);
  const known = { now: 0, zone: 'UTC', base: '', csrf: '' };
  const holder = document.createElement('div');
  holder.innerHTML = renderToString(<Root hydrationData={{ loaderData: { root: known } }} />);
  return (holder.textContent ?? '').replaceAll('\u00a0', ' ');
}

test('logs are said to be read soon only where somebody reads them', () => {
  expect(textOf(true)).toContain('Logs of 3 attempts are about to be read');
  expect(textOf(false)).not.toContain('about to be read');
  expect(textOf(false)).toContain('Logs of 3 attempts wait until somebody reads logs here.');
});
