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

test('a page that does not open for a moment names it too', () => {
  const problem = { code: 'authz_unavailable' as const, error: 'Unknown.', request_id: 'req-8' };
  const page = { pageContext: { account: null, here: '/team', hostName }, problem, feature: null };
  const { container } = render(<Denied page={page as unknown as DeniedPage} />);
  expect(container.textContent).toContain('The database or codehost.example did not respond. You are still signed in.');
});
