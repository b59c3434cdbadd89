import type { PanelsOf } from '../../../../server/http/adapters.ts';
import type { getResults } from '../../../../server/reports/advisor-results/operations.ts';

type Row = Extract<PanelsOf<{ results: typeof getResults }>['results'], { ok: true }>['data']['rows'][number];

/** How a change came to the default branch: a pull request from here, or a commit of somebody. */
export function AppliedBy({ pull_request: pullRequest, commit }: Pick<Row, 'pull_request' | 'commit'>) {
  if (pullRequest) return <a href={pullRequest.html_url}>Pull request #{pullRequest.number}</a>;
  return commit ? <a href={commit.html_url}>Commit {commit.sha.slice(0, 7)}</a> : null;
}
