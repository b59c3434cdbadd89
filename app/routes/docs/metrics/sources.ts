/** A link to what a definition or its data comes from. */
export interface Source {
  label: string;
  href: string;
}

export const dora: Source = { label: 'DORA metrics', href: 'https://dora.dev/guides/dora-metrics-four-keys/' };
export const truckFactor: Source = { label: 'Avelino et al., truck factor', href: 'https://arxiv.org/abs/1604.06766' };
export const billing: Source = {
  label: 'GitHub Actions billing',
  href: 'https://docs.github.com/en/billing/concepts/product-billing/github-actions',
};
export const rest = (label: string, path: string): Source => ({
  label,
  href: `https://docs.github.com/en/rest/${path}`,
});
export const runs = rest('Workflow runs', 'actions/workflow-runs');
export const jobs = rest('Workflow jobs', 'actions/workflow-jobs');
export const pulls = rest('Pull requests', 'pulls/pulls');
export const reviews = rest('Pull request reviews', 'pulls/reviews');
export const commits = rest('Commits', 'commits/commits');
export const gitReferences = rest('Git references', 'git/refs');
export const alerts = rest('Security alerts', 'dependabot/alerts');

export const alertRules: Source = { label: 'Alerts', href: '/alerts' };

export const repository = '/demo/repos/lumen-harbor/tidewater-web';
export const workflow = (label: string, tab: string): Source => ({
  label: `Workflow, ${label}`,
  href: `${repository}/workflows/41000?tab=${tab}`,
});
