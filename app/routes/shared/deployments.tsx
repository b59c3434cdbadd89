import { DeploymentPanels } from '../repo/deployments-panels.tsx';
import type { SharedPage } from './shared-parts.tsx';

/** Deployments, without who made them. */
export function SharedDeployments({ place, answers }: SharedPage<'deployments'>) {
  const { owner = '', repo = '', environment } = place;
  const search = environment === undefined ? '' : `?${new URLSearchParams({ environment })}`;
  return <DeploymentPanels result={answers.deployments} repository={{ owner, repo }} search={search} />;
}
