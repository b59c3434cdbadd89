import { Agent, fetch } from 'undici';
import { assertPublicLiteral, isAllowed, publicLookup } from '../platform/safe-address.ts';
import type { ProviderAccess } from '../settings/ai-provider.ts';

/** What came is no answer of a provider: it leads elsewhere, or is larger than any could be. */
export class UnusableAnswer extends Error {}

const maxBytes = 256 * 1024;
const connectMs = 5000;

/**
 * Fetches from a provider and from nowhere else: no redirect is followed, at most 256 KiB are read, and an address that
 * was entered in the settings leads to public hosts or to those that the operator allows.
 * @throws UnsafeAddress, as the error or the cause of it
 * @throws UnusableAnswer
 */
export const providerFetch = (
  { isPublicOnly }: Pick<ProviderAccess, 'isPublicOnly'>,
  allowedHosts: readonly string[],
): typeof globalThis.fetch =>
  async function fetchAnswer(address, init) {
    const url = new URL(String(address));
    const isGuarded = isPublicOnly && !isAllowed(url, { allowedHosts });
    if (isGuarded) assertPublicLiteral(url);
    // A connection lives as long as its question, so that each one is looked up and checked.
    const agent = new Agent({
      connect: { timeout: connectMs, ...(isGuarded && { lookup: publicLookup({ allowedHosts }) }) },
    });
    const headers = new Headers(init?.headers);
    headers.set('user-agent', 'delivery-analytics');
    try {
      const { method, body, signal } = init ?? {};
      const answer = await fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        body: body as string,
        signal,
        redirect: 'manual',
        dispatcher: agent,
      });
      if (answer.status >= 300 && answer.status < 400) throw new UnusableAnswer('The provider redirected.');
      const text = await readText(answer.body);
      return new Response(text, {
        status: answer.status,
        headers: { 'content-type': answer.headers.get('content-type') ?? '' },
      });
    } finally {
      await agent.destroy();
    }
  };

async function readText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new UnusableAnswer('The answer of the provider is larger than 256 KiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
