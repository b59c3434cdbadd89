import type { AuthorshipClass } from './classes.ts';

/** Pull requests that count for the same; who wrote them is used to count people, and is never shown. */
export interface MarkedGroup {
  /** By the platform's id. */
  repositoryId: number;
  /** `YYYY-MM` of their creation. */
  month: string;
  class: AuthorshipClass;
  agent: string | null;
  /** As `mark-bits.ts` writes them. */
  kinds: number;
  /** Their human author; null for a machine, and where the pull request itself is not stored. */
  author: string | null;
  prs: number;
}
