/** The page that follows a synchronization, by the fields of the form that started it. */
export function syncedHref(form: FormData, page: '/' | '/reports'): string {
  const query = new URLSearchParams();
  const org = form.get('org');
  if (page === '/') {
    if (org) query.set('org', String(org));
    return query.size > 0 ? `/?${query}` : '/';
  }
  const owner = org ?? form.get('owner');
  if (owner) query.set('owner', String(owner));
  if (form.has('repo')) query.set('repo', String(form.get('repo')));
  return `/reports${query.size > 0 ? `?${query}` : ''}#sync`;
}
