/** Where a person's profile is, for the names in tables. */
export const personHref = (base: string, owner: string, login: string): string =>
  `${base}/contributor/${encodeURIComponent(login)}?${new URLSearchParams({ owner })}`;

/** Where the page to print for a talk with them is. */
export const briefHref = (base: string, owner: string, login: string): string =>
  `${base}/contributor/${encodeURIComponent(login)}/brief?${new URLSearchParams({ owner })}`;
