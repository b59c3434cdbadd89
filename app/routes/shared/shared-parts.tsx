import type { ReactNode } from 'react';
import type { SharedAnswer, Snapshot } from '../../../server/sharing/snapshot.ts';
import { SharedDeployments } from './deployments.tsx';

/** What the parts of a page are drawn from: its answers by name, as its own loader gives them. */
export interface SharedPage<Names extends string> {
  /** Parts of the path and choices of the query, by name. */
  place: Record<string, string>;
  answers: Record<Names, { ok: true; data: never; notes: SharedAnswer['notes'] }>;
}

interface View {
  title(place: Record<string, string>): string;
  draw(shared: SharedPage<string>): ReactNode;
}

const repository = ({ owner, repo }: Record<string, string>) => `${owner}/${repo}`;

/** How each page is drawn, by its own parts. */
const views: Record<Snapshot['pattern'], View> = {
  '/repos/:owner/:repo/deployments': {
    title: (place) => `Deployments of ${repository(place)}`,
    draw: SharedDeployments,
  },
};

/** What was shared of a page. */
export function SharedParts({ snapshot: { pattern, place, answers } }: { snapshot: Snapshot }) {
  const { title, draw: Parts } = views[pattern];
  const known = place as Record<string, string>;
  const given = Object.entries(answers).map(([name, answer]) => [name, { ok: true, ...answer }]);
  return (
    <>
      <title>{title(known)}</title>
      <h1>{title(known)}</h1>
      <Parts place={known} answers={Object.fromEntries(given)} />
    </>
  );
}
