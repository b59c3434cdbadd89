import { getAction } from './actions.ts';
import { memoize } from './memoize.ts';
import { readRunText } from './places.ts';
import type { Confidence } from './rule.ts';
import { formatLine, type RunText } from './shell.ts';
import { type Job, type Step, settingText, type Workflow } from './workflow.ts';

/** Why a job is taken for one that brings something to its users. */
export interface Deployment {
  /** A sentence. */
  why: string;
  confidence: Confidence;
  /** Its name alone shows it when null. */
  step: Step | null;
  /** Whether what was there before can be replaced, as far as is known; registries that add versions keep them all. */
  replaces: boolean;
}

/** Whether a job deploys or publishes: by an action or a command that does nothing else, else by its name. */
export function findDeployment(workflow: Workflow, job: Job): Deployment | null {
  const found = job.steps.flatMap((step) => {
    const what = publishedBy(workflow, step);
    return what ? [{ what, step }] : [];
  });
  const replacing = found.find(({ what }) => !adding.test(what));
  const first = replacing ?? found[0];
  if (first) {
    const { what, step } = first;
    return { why: `It runs ${what}.`, confidence: 'medium', step, replaces: replacing !== undefined };
  }
  if (!promising.test(job.id) || rehearsing.test(`${job.id} ${job.name ?? ''}`)) return null;
  if (!job.steps.some(({ uses, run }) => bringing.test(`${uses?.value ?? ''} ${run?.value ?? ''}`))) return null;
  return { why: `Its name is “${job.id}”.`, confidence: 'low', step: null, replaces: true };
}

/** The action or command of a step that publishes or deploys; null when it has none. */
export function publishedBy(workflow: Workflow, step: Step): string | null {
  const action = getAction(step);
  if (action !== null) return isPublishing(step, action) ? action : null;
  return publishedIn(readRunText(workflow, step));
}

/** The first command of a run text that does. */
const publishedIn = memoize(({ commands }: RunText) => {
  for (const command of commands) {
    const line = formatLine(command);
    if (publishing.test(line) && !harmless.test(line)) return line.split(' ').slice(0, 2).join(' ');
  }
  return null;
});

function isPublishing(step: Step, action: string): boolean {
  const given = (key: string) => settingText(step.with, key)?.value ?? '';
  if (action === 'docker/build-push-action' || action === 'docker/bake-action')
    return !/^(false)?$/.test(given('push').trim()) && !/localhost|127\.0\.0\.1/.test(given('tags'));
  if (action === 'goreleaser/goreleaser-action')
    return /\brelease\b/.test(given('args')) && !/snapshot/.test(given('args'));
  if (action === 'changesets/action') return given('publish') !== '';
  return actions.has(action);
}

const actions = new Set([
  'actions/create-release',
  'actions/deploy-pages',
  'aws-actions/amazon-ecs-deploy-task-definition',
  'azure/functions-action',
  'azure/k8s-deploy',
  'azure/static-web-apps-deploy',
  'azure/webapps-deploy',
  'cloudflare/pages-action',
  'cloudflare/wrangler-action',
  'crazy-max/ghaction-github-pages',
  'cycjimmy/semantic-release-action',
  'firebaseextended/action-hosting-deploy',
  'google-github-actions/deploy-appengine',
  'google-github-actions/deploy-cloudrun',
  'helm/chart-releaser-action',
  'jamesives/github-pages-deploy-action',
  'js-devtools/npm-publish',
  'ncipollo/release-action',
  'peaceiris/actions-gh-pages',
  'pypa/gh-action-pypi-publish',
  'rubygems/release-gem',
  'softprops/action-gh-release',
  'svenstaro/upload-release-action',
]);

/** Commands, from their first word, that bring something to others. */
const publishing = new RegExp(
  `^(${[
    '(p?npm|bun) publish|yarn (npm )?publish|(npx |pnpm |yarn )?(semantic-release|changeset publish|vsce publish)',
    '(python3? -m )?twine upload|(poetry|flit|hatch|uv) publish',
    'cargo publish|gem push|dotnet nuget push|nuget push|mvnw? .*\\bdeploy\\b|\\./mvnw .*\\bdeploy\\b',
    'docker (image )?push|docker manifest push|podman push|helm push|gh release (create|upload)',
    '(npx )?(wrangler|firebase|serverless|sls|cdk|netlify|fly|flyctl) deploy|(npx )?wrangler publish',
    'vercel (deploy |--).*--prod\\b|gcloud (app|run) deploy',
    'terraform .*\\bapply\\b|pulumi up|eb deploy',
  ].join('|')})(\\s|$)`,
);

/** What goes to registries that take each version once and rank them by their numbers. */
const adding = new RegExp(
  `^(${[
    'pypa/gh-action-pypi-publish|rubygems/release-gem',
    'twine upload|python3? -m|(poetry|flit|hatch|uv|cargo) publish|gem push|(dotnet )?nuget( push)?',
  ].join('|')})$`,
);

/** A rehearsal, or for the run itself. */
const harmless = /(^|\s)(-n|--dry-run|--help|--snapshot|--version)\b|localhost|127\.0\.0\.1/;

const promising = /(^|[-_])(deploy|deployment|publish)([-_]|$)/i;
const rehearsing =
  /test|check|dry|preview|verify|lint|build|pre[-_]|plan|clean|notif|destroy|remove|delete|draft|issue|trigger|status/i;
/** Text of a job that really deploys. */
const bringing = /deploy|publish|upload|push|release|rsync|\b(scp|ssh|kubectl|helm|s3)\b/i;
