import { getAction } from '../scan/actions.ts';
import { memoize } from '../scan/memoize.ts';
import { listSteps } from '../scan/rule.ts';
import { type Step, settingText, type Workflow } from '../scan/workflow.ts';

/** Whether a workflow may fetch artifacts of another run than its own. */
export const mayFetchArtifacts = memoize((workflow: Workflow): boolean =>
  [...listSteps(workflow)].some(({ step }) => mayFetch(step)),
);

function mayFetch(step: Step): boolean {
  const action = getAction(step) ?? '';
  if (action === 'actions/download-artifact')
    return step.with.some(({ key }) => /^(run-id|repository|github-token)$/i.test(key.value));
  if (/artifact/.test(action)) return !/^actions\/(upload-artifact|upload-pages-artifact)(\/merge)?$/.test(action);
  const texts = [step.run, settingText(step.with, 'script'), settingText(step.with, 'route')];
  return texts.some((text) => text !== null && fetching.test(text.value));
}

/** Bounded, so that no text takes longer than its length. */
const fetching =
  /\bgh run download\b|actions\/(artifacts|runs\/.{1,200}?\/artifacts)\b|archive_download_url|(download|list\w{0,40}|get)Artifacts?\b|artifacts_url/i;
