import { type Agent, fetch } from 'undici';

interface App {
  apiUrl: string;
  clientId: string;
  clientSecret: string;
  agent: Agent;
}

/**
 * Revokes an OAuth token: it is worthless afterwards. Answers whether the platform confirms it (`apps/delete-token`);
 * that it cannot be reached is no reason to keep somebody signed in, so this never throws.
 */
export async function revokeToken({ apiUrl, clientId, clientSecret, agent }: App, token: string): Promise<boolean> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  try {
    const answer = await fetch(`${apiUrl}/applications/${encodeURIComponent(clientId)}/token`, {
      method: 'DELETE',
      headers: {
        authorization: `Basic ${credentials}`,
        accept: 'application/vnd.github+json',
        'content-type': 'application/json',
        'user-agent': 'delivery-analytics',
      },
      body: JSON.stringify({ access_token: token }),
      dispatcher: agent,
      signal: AbortSignal.timeout(5000),
    });
    await answer.body?.cancel();
    return answer.status === 204 || answer.status === 404 || answer.status === 422;
  } catch {
    return false;
  }
}
