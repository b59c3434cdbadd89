/** Whose team a part of a page is about: that of one repository, or without `repo` of all tracked ones of the owner. */
export interface TeamScope {
  owner: string;
  repo: string | null;
}

/** That of one repository, by `owner/repo`. */
export function toScope(repository: string): { owner: string; repo: string } {
  const [owner = '', repo = ''] = repository.split('/');
  return { owner, repo };
}
