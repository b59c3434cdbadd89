/** Whose team a part of a page is about: that of one repository, or without `repo` of all tracked ones of the owner. */
export interface TeamScope {
  owner: string;
  repo: string | null;
}
