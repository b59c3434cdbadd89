import { reportsHref } from '../../components/data-coverage-link.tsx';

/** The page that follows a synchronization, by the fields of the form that started it. */
export function syncedHref(form: FormData, page: '/' | '/reports'): string {
  const org = form.get('org');
  if (page === '/') return org ? `/?${new URLSearchParams({ org: String(org) })}` : '/';
  const owner = org ?? form.get('owner');
  if (!owner) return '/reports#sync';
  const repo = form.get('repo');
  return `${reportsHref({ owner: String(owner), repo: repo === null ? null : String(repo) })}#sync`;
}
