import { createContext, demoContext } from '../../server/http/context.ts';
import type { Service } from './service.ts';

/** What the pages of the demo are answered in, as a visitor opens one of its addresses. */
export function openDemo({ app }: Pick<Service, 'app'>, path = '/demo') {
  const url = new URL(path, 'http://localhost:3000');
  const incoming = { method: 'GET', url, headers: new Headers(), address: '', signal: new AbortController().signal };
  return demoContext(createContext(app.services, incoming));
}
