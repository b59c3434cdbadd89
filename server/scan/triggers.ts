import { type Trigger, valueIn, type Workflow } from './workflow.ts';
import type { YamlMap } from './yaml.ts';

/** Whether a workflow runs only when another one calls it; its trigger is then that of the caller. */
export const isOnlyCalled = ({ triggers }: Workflow): boolean =>
  triggers.length > 0 && triggers.every(({ event }) => event === 'workflow_call');

/** Whether triggers are for releases, tags and runs by hand alone: each run is then for a version of its own. */
export const areForVersions = (triggers: readonly Trigger[]): boolean =>
  triggers.every(({ event, filter }) => byVersion.test(event) || (event === 'push' && isForTags(filter))) &&
  triggers.some(({ event }) => event === 'push' || event === 'release');

/** Whether a push starts a workflow for tags alone. */
const isForTags = (filter: YamlMap | null) =>
  valueIn(filter, 'tags') !== null && valueIn(filter, 'branches') === null && valueIn(filter, 'paths') === null;
const byVersion = /^(release|workflow_dispatch|workflow_call)$/;

/** Whether an event comes from a pull request. */
export const isOfPullRequest = (event: string): boolean =>
  /^pull_request(_target|_review|_review_comment)?$/.test(event);
