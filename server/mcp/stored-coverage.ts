import { getCollection } from '../reports/data-coverage/operations.ts';
import { getOrganizations } from '../reports/repositories/operations.ts';
import type { Reader } from './reader.ts';

/** Each costs a list of repositories, which is kept for a while. */
const maxOwners = 6;

/** What is stored of the caller's own repositories and of those of their organizations, an answer for each owner. */
export async function readCoverage(reader: Reader) {
  const { login } = await reader.context.actor();
  const { answer: organizations } = await reader.read(getOrganizations);
  const owners = [login, ...organizations.map((one) => one.login)].slice(0, maxOwners);
  const parts = [];
  for (const owner of owners) {
    const part = await reader.readPart('stored', getCollection, { owner, limit: 1 });
    if (part === null) return parts;
    if (part.answer.repos_known > 0) parts.push(part);
  }
  return parts;
}
