import type { PageLink } from '../components/page.tsx';

/** The way down to a page: the list of repositories, then what lies between. */
export const crumbs = (base: string, ...between: PageLink[]): PageLink[] => [
  { label: 'Repositories', href: base || '/' },
  ...between,
];

/** A repository by its full name. */
export const repositoryCrumb = (base: string, name: string): PageLink => ({
  label: name,
  href: `${base}/repos/${name}`,
});
