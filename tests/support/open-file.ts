import { serve } from '../../server/http/serve.ts';
import type { Service } from './service.ts';

/** A file of which the caller takes one piece after the other, so that a test can do something in between. */
export async function openFile(service: Service, path: string, as: string) {
  const headers = new Headers({ cookie: await service.signIn(as) });
  const request = new Request(`http://localhost:3000${path}`, { headers });
  const page = async () => new Response('a page');
  const { body } = await serve(service.app.services, request, '127.0.0.1', page);
  if (!body) throw new Error(`${path} has no body.`);
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return { next, rest };

  async function next(): Promise<string> {
    const { value } = await reader.read();
    return decoder.decode(value);
  }

  async function rest(): Promise<string[]> {
    const { value, done } = await reader.read();
    return done ? [] : [decoder.decode(value), ...(await rest())];
  }
}
