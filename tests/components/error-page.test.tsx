// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { AnsweredRequest, ErrorPage } from '../../app/components/error-page.tsx';
import { Denied } from '../../app/routes/error/page.tsx';
import type { ErrorPage as DeniedPage } from '../../server/http/page-frame.ts';

const hostName = 'codehost.example';

test('a page without a frame names the host that access is checked with, and the request', () => {
  const { container } = render(
    <AnsweredRequest value={{ requestId: 'req-7', hostName }}>
      <ErrorPage status={503} />
    </AnsweredRequest>,
  );
  expect(container.textContent).toContain('The database or codehost.example did not respond. Try again in 30 seconds.');
  expect(container.textContent).toContain('Request req-7');
});

test.each([
  [true, 'Wrong address', 'http://localhost:3000/setup'],
  [false, 'Form rejected', '/'],
])('a rejected form is of a wrong address only where the browser says so: %s', (isElsewhere, title, href) => {
  const problem = { code: 'csrf_rejected' as const, error: 'The Origin header is null.', request_id: 'req-9' };
  const pageContext = { account: null, here: '/setup', pages: [], mode: 'standalone', hostName };
  const page = { pageContext, problem, feature: null, appUrl: 'http://localhost:3000', isElsewhere };
  const { container } = render(<Denied page={page as unknown as DeniedPage} />);
  expect(container.querySelector('h1')?.textContent).toBe(title);
  expect(container.querySelector('main a, p a')?.getAttribute('href')).toBe(href);
  expect(container.textContent?.includes('The Origin header is null.')).toBe(!isElsewhere);
});

test('a page that does not open for a moment names it too', () => {
  const problem = { code: 'authz_unavailable' as const, error: 'Unknown.', request_id: 'req-8' };
  const page = { pageContext: { account: null, here: '/team', hostName }, problem, feature: null };
  const { container } = render(<Denied page={page as unknown as DeniedPage} />);
  expect(container.textContent).toContain('The database or codehost.example did not respond. You are still signed in.');
});
