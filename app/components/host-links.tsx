import { Link } from '../charts/link.tsx';
import { usePageContext } from './page-context.ts';

interface OfRepository {
  /** `owner/repo` */
  repository: string;
}

/** A commit by the first digits of its hash, linked to the host; the demo's commits are nowhere. */
export function CommitLink({ repository, sha }: OfRepository & { sha: string }) {
  const { base, webUrl } = usePageContext();
  const short = <code>{sha.slice(0, 7)}</code>;
  return base ? short : <Link href={`${webUrl}/${repository}/commit/${sha}`}>{short}</Link>;
}

/** A pull request by its number, linked to the host; the demo's are nowhere. */
export function PullRequestLink({ repository, number }: OfRepository & { number: number }) {
  const { base, webUrl } = usePageContext();
  const name = `#${number}`;
  return base ? name : <Link href={`${webUrl}/${repository}/pull/${number}`}>{name}</Link>;
}
