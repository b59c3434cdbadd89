import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AuthorshipCost } from '../../app/routes/org/ai-authorship-cost.tsx';
import { AuthorshipRepositories } from '../../app/routes/org/ai-authorship-repositories.tsx';

type RepositoryData = Parameters<typeof AuthorshipRepositories>[0]['data'];
type CostData = Parameters<typeof AuthorshipCost>[0]['data'];

interface Progress {
  computing: boolean;
  failed: boolean;
  suppressed: boolean;
}

function repositories({ suppressed, ...progress }: Progress): string {
  const row = { repo: 'octo/web', sets: null, effect: null, interval: null, suppressed };
  const data = { ...progress, repositories: [row] } as unknown as RepositoryData;
  return renderToStaticMarkup(<AuthorshipRepositories data={data} csvHref="" />);
}

function cost(...classes: Progress[]): string {
  const data = { classes: classes.map((own) => ({ ...own, prs: null })) } as unknown as CostData;
  return renderToStaticMarkup(<AuthorshipCost data={data} csvHref="" />);
}

const failed = { computing: false, failed: true, suppressed: false };
const computing = { computing: true, failed: false, suppressed: false };
const few = { computing: false, failed: false, suppressed: true };

test('what failed or is being computed is not explained by too few pull requests', () => {
  for (const text of [repositories(failed), cost(failed, few), cost(few, failed)]) {
    expect(text).toContain('could not be computed');
    expect(text).not.toMatch(/enough|Too few/);
  }
  for (const text of [repositories(computing), cost(computing, few)]) expect(text).toContain('Being computed');
  expect(repositories(few)).toContain('No repository has enough');
  expect(repositories({ ...failed, suppressed: true }), 'an older one says so').toContain('No repository has enough');
  expect(cost(few, few)).toContain('Too few');
});
