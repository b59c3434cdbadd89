import { z } from 'zod';
import { owner } from '../../api/parameters.ts';
import {
  getOrganizationRepositories,
  getOrganizations,
  getRepositories,
} from '../../reports/repositories/operations.ts';
import { paging } from '../input.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

export const findRepositories = tool({
  name: 'find_repositories',
  title: 'Repositories',
  question: 'Which repositories of acme are about payments?',
  description:
    'Repositories that the caller can see, by owner and name, with visibility, default branch and whether they are archived. `query` finds part of the name.',
  input: z.object({
    query: z.string().max(100, 'is longer than 100 characters').optional(),
    owner: owner.optional(),
    ...paging,
  }),
  operations: [getRepositories, getOrganizationRepositories, getOrganizations],
  questions: () => [{ operation: getRepositories, params: {} }],
  async run({ query = '', owner }, reader) {
    const { answer: organizations } = await reader.read(getOrganizations);
    const isOrganization = organizations.some(({ login }) => login.toLowerCase() === owner?.toLowerCase());
    const part =
      owner && isOrganization
        ? await reader.read(getOrganizationRepositories, { org: owner })
        : await reader.read(getRepositories);
    const tracked = await reader.context.services.store?.repositories.tracked();
    const trackedIds = new Set(tracked?.map(({ codehostId }) => codehostId));
    const wanted = query.toLowerCase();
    const found = part.answer
      .filter((one) => owner === undefined || one.owner.toLowerCase() === owner.toLowerCase())
      .filter((one) => one.full_name.toLowerCase().includes(wanted))
      .sort((a, b) => compare(a.full_name, b.full_name));
    return {
      subject: owner === undefined ? {} : { owner },
      parts: [part],
      measurements: [],
      items: found.map((one) => ({
        key: String(one.id),
        value: {
          owner: one.owner,
          repo: one.name,
          visibility: one.visibility,
          tracked: trackedIds.has(one.id),
          archived: one.archived,
          fork: one.fork,
          default_branch: untrusted(one.default_branch),
          description: untrusted(one.description),
          pushed_at: one.pushed_at,
        },
      })),
      page: '/repositories',
    };
  },
});

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
