import type { ReactNode } from 'react';
import type { SharedAnswer, Snapshot } from '../../../server/sharing/snapshot.ts';
import { useSearch } from '../../components/page-context.ts';
import { Details } from '../explain/details.tsx';
import { SharedHealth, SharedOrganization, SharedReports } from './organization.tsx';
import { SharedDeployments, SharedIssues, SharedRepository, SharedWorkflow } from './repository.tsx';

/** What the parts of a page are drawn from: its answers by name, as its own loader gives them. */
export interface SharedPage<Names extends string> {
  /** The parts of its path. */
  place: Record<string, string>;
  answers: Record<Names, { ok: true; data: never; notes: SharedAnswer['notes'] }>;
}

interface View {
  title(snapshot: Snapshot): string;
  draw(shared: SharedPage<string>): ReactNode;
}

const repository = ({ place: { owner, repo } }: Snapshot) => `${owner}/${repo}`;

/** How each page is drawn, by its own parts. */
const views: Record<Snapshot['pattern'], View> = {
  '/repos/:owner/:repo': { title: repository, draw: SharedRepository },
  '/repos/:owner/:repo/workflows/:workflow_id': {
    title: (snapshot) => `${nameWorkflow(snapshot)} of ${repository(snapshot)}`,
    draw: SharedWorkflow,
  },
  '/repos/:owner/:repo/deployments': {
    title: (snapshot) => `Deployments of ${repository(snapshot)}`,
    draw: SharedDeployments,
  },
  '/repos/:owner/:repo/issues': { title: (snapshot) => `Issues of ${repository(snapshot)}`, draw: SharedIssues },
  '/org/:org': { title: ({ place }) => place.org ?? '', draw: SharedOrganization },
  '/org/:org/health': { title: ({ place }) => `Health of ${place.org}`, draw: SharedHealth },
  '/reports': {
    title: ({ choices: { org, repo } }) => `Reports of ${repo ?? org}`,
    draw: SharedReports,
  },
  '/explain': { title: nameMetric, draw: SharedExplanation },
};

/** By its latest run, where there is one. */
function nameWorkflow({ place, answers }: Snapshot): string {
  const runs = answers.runs?.data as { name: string | null }[] | undefined;
  return runs?.[0]?.name ?? `Workflow ${place.workflow_id}`;
}

function nameMetric({ choices: { owner, repo, org }, answers }: Snapshot): string {
  const { label = 'Metric' } = (answers.explained?.data ?? {}) as { label?: string };
  const scope = owner && repo ? `${owner}/${repo}` : org;
  return scope ? `${label} of ${scope}` : label;
}

/** What was shared of a page. */
export function SharedParts({ snapshot }: { snapshot: Snapshot }) {
  const { title, draw: Parts } = views[snapshot.pattern];
  const given = Object.entries(snapshot.answers).map(([name, answer]) => [name, { ok: true, ...answer }]);
  return (
    <>
      <title>{title(snapshot)}</title>
      <h1>{title(snapshot)}</h1>
      <Parts place={snapshot.place} answers={Object.fromEntries(given)} />
    </>
  );
}

/** A metric with what it counts, by number. */
function SharedExplanation({ answers }: SharedPage<'explained'>) {
  return <Details result={answers.explained} search={useSearch()} />;
}
