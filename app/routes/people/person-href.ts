import { usePageContext } from '../../components/page-context.ts';

/** Where a person's profile is; undefined where it may not be opened, so that their name is no link. */
export type GetProfileHref = (login: string) => string | undefined;

/** Where a person's profile is, for the names in tables about repositories of an owner. */
export const personHref = (base: string, owner: string, login: string): string =>
  `${base}/contributor/${encodeURIComponent(login)}?${new URLSearchParams({ owner })}`;

/** The same, for those who may open profiles; one's own opens to everybody. */
export function useProfileHref(owner: string): GetProfileHref {
  const { account, base, pages } = usePageContext();
  const isOpen = (login: string) =>
    pages.includes('contributor/:login') || login.toLowerCase() === account?.login.toLowerCase();
  return (login) => (isOpen(login) ? personHref(base, owner, login) : undefined);
}

/** Where the page to print for a talk with them is. */
export const briefHref = (base: string, owner: string, login: string): string =>
  `${base}/contributor/${encodeURIComponent(login)}/brief?${new URLSearchParams({ owner })}`;
