import { getCollection } from '../reports/data-coverage/operations.ts';
import { getOrganizations } from '../reports/repositories/operations.ts';
import type { Reader } from './reader.ts';

/** Each costs a list of repositories, which is cached for a while. */
const maxOwners = 6;

/** What is stored of the caller's own repositories and of those of their organizations, an answer for each owner with so many of them. */
export async function readCoverage(reader: Reader, limit = 1) {
  const { login } = await reader.context.actor();
  const { answer: organizations } = await reader.read(getOrganizations);
  const owners = [login, ...organizations.map((one) => one.login)];
  const parts = [];
  for (const owner of owners.slice(0, maxOwners)) {
    const part = await reader.readPart('stored', getCollection, { owner, limit });
    if (part === null) return parts;
    if (part.answer.repos_known > 0) parts.push(part);
  }
  const leftOut = owners.slice(maxOwners);
  if (leftOut.length > 0)
    reader.notes.push({ code: 'owners_left_out', text: `Not read: ${leftOut.join(', ')}.`, part: 'stored' });
  return parts;
}
