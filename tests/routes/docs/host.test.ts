import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { plainText } from '../../../app/routes/docs/blocks.ts';
import { loader } from '../../../app/routes/docs/section.tsx';
import { createContext } from '../../../server/http/context.ts';
import { requestContext } from '../../../server/http/router-context.ts';
import { startService } from '../../support/service.ts';

/** The text of a chapter as a service on this host shows it. */
async function readChapter(section: string, webUrl: string): Promise<string> {
  const service = await startService({ CODEHOST_WEB_URL: webUrl });
  const url = new URL(`http://localhost:3000/docs/${section}`);
  const request = new Request(url);
  const context = new RouterContextProvider();
  const { headers, signal } = request;
  const requested = { method: 'GET', url, headers, address: '127.0.0.1', signal };
  context.set(requestContext, createContext(service.app.services, requested));
  const answer = loader({ context, params: { section }, request, url, pattern: '/docs/:section' } as Parameters<
    typeof loader
  >[0]);
  await service.close();
  const texts = answer.section.blocks.map((block) => ('children' in block ? plainText(block.children) : ''));
  return [answer.section.lead, ...texts].join(' ');
}

test('a chapter names the host that the service reads', async () => {
  expect(await readChapter('organization', 'https://git.acme.example')).toContain('sign in with git.acme.example');
  expect(await readChapter('organization', 'https://github.com')).toContain('sign in with GitHub');
});
