import type { z } from 'zod';
import type { PageContext } from '../../../server/http/page-context.ts';
import type { search as searchNames } from '../../../server/reports/search/operations.ts';
import { addSharedParams } from '../../components/shared-params.tsx';

/** One thing that can be opened. */
export interface SearchItem {
  label: string;
  href: string;
  /** Where it belongs. */
  detail?: string;
}

/** Things of one kind; never empty. */
export interface SearchGroup {
  label: string;
  items: readonly SearchItem[];
}

type Found = z.output<(typeof searchNames)['output']>;

/** What was found by name, with the shared choices of the current address. */
export function groupNames(found: Found, { base, pages }: PageContext, search: string): SearchGroup[] {
  const keep = (path: string) => addSharedParams(`${base}${path}`, search);
  const repositories = found.repositories.map(({ repo, archived }) => ({
    label: repo,
    href: keep(`/repos/${repo}`),
    ...(archived && { detail: 'archived' }),
  }));
  const workflows = found.workflows.map(({ repo, workflow_id: id, workflow }) => ({
    label: workflow,
    href: keep(`/repos/${repo}/workflows/${id}`),
    detail: repo,
  }));
  const people = found.people.map(({ login, owner }) => ({
    label: login,
    href: keep(`/contributor/${encodeURIComponent(login)}?${new URLSearchParams({ owner })}`),
    detail: owner,
  }));
  return withItems([
    { label: 'Repositories', items: repositories },
    { label: 'Workflows', items: workflows },
    { label: 'People', items: pages.includes('contributor/:login') ? people : [] },
  ]);
}

export const withItems = (groups: readonly SearchGroup[]): SearchGroup[] =>
  groups.filter(({ items }) => items.length > 0);
