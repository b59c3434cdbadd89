import type { Context } from '../../access/context.ts';

/**
 * Which of these repositories, `owner/name`, are not known to be public, by what is stored of them: whoever shares a page
 * that names them reads so before.
 */
export async function notPublicAmong(names: readonly string[], { services: { store } }: Context): Promise<string[]> {
  if (!store || names.length === 0) return [];
  const keys = names.map((name) => name.toLowerCase());
  const known = await store.repositories.concerning({ names: keys, owners: [], ids: [] });
  const open = new Set(known.filter((one) => !one.private).map(({ owner, repo }) => `${owner}/${repo}`.toLowerCase()));
  return names.filter((name) => !open.has(name.toLowerCase()));
}
