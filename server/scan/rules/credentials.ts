import { getAction, getVersion, isCheckout } from '../actions.ts';
import { isRandom, keysIn } from '../keys.ts';
import { hitAt, listCommands, placedTexts } from '../places.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { formatLine } from '../shell.ts';
import { type Job, type Setting, type Step, settingText, type Workflow } from '../workflow.ts';
import type { YamlScalar } from '../yaml.ts';

const shownPassword = rule({
  id: 'SEC-010',
  severity: 'medium',
  confidence: 'high',
  title: 'Registry password not masked',
  description: 'The sign-in exposes the registry password as an output, which later steps can print to the log.',
  fix: 'Use version 2 of the action or later, without `mask-password: false`.',
  reference: 'https://github.com/aws-actions/amazon-ecr-login#docker-credentials',
  *find(workflow): Iterable<Hit> {
    for (const { job, step } of listSteps(workflow)) {
      if (getAction(step) !== 'aws-actions/amazon-ecr-login' || step.uses === null) continue;
      const masking = settingText(step.with, 'mask-password');
      const [major = 2] = getVersion(workflow, step.uses) ?? [];
      if (masking && /^false$/i.test(masking.value)) yield { offset: masking.offset, job, step };
      else if (masking === null && major < 2)
        yield { offset: step.uses.offset, job, step, detail: 'Version 1 masks it only with `mask-password: true`.' };
    }
  },
});

const persistedCredentials = rule({
  id: 'SEC-018',
  severity: 'info',
  confidence: 'medium',
  title: 'Checkout persists credentials',
  description:
    'Without `persist-credentials: false`, every later step of the job can read the token and push with it. ' +
    'Uploading the workspace as an artifact can leak it.',
  fix: 'Set `persist-credentials: false`, and pass the token only to the step that pushes.',
  reference: 'https://github.com/actions/checkout#usage',
  *find(workflow): Iterable<Hit> {
    for (const job of workflow.jobs) {
      const archiveAfter = archivesIn(workflow, job);
      const checkouts = job.steps.filter((step) => isCheckout(step) && (isUnsaid(step) || persists(step)));
      const isNeeded = checkouts.length > 0 && pushes(workflow, job);
      for (const step of checkouts) {
        const where = { offset: step.uses?.offset ?? step.offset, job, step };
        const archive = leavesToken(workflow, step) ? archiveAfter(step) : null;
        if (archive) yield { ...where, severity: 'high', detail: `“${archive}” uploads the workspace with the token.` };
        // Who writes `true` has decided that later steps may read it, not that it is uploaded.
        else if (!isNeeded && isUnsaid(step)) yield where;
      }
    }
  },
});

const persisting = (step: Step) => settingText(step.with, 'persist-credentials');
const isUnsaid = (step: Step) => persisting(step) === null;
const persists = (step: Step) => /^true$/i.test(persisting(step)?.value.trim() ?? '');

/** Whether a later step may need what the checkout left. */
const pushes = (workflow: Workflow, job: Job) =>
  job.steps.some(
    (step) =>
      pushingActions.has(getAction(step) ?? '') ||
      listCommands(workflow, step).some((command) => pushing.test(formatLine(command))),
  );
const pushing = /^(git( -\S+( [^-\s]\S*)?)* push|(python3? -m )?mkdocs gh-deploy)\b/;
/** They push with what the checkout left, and take no token of their own for it. */
const pushingActions = new Set(['endbug/add-and-commit', 'stefanzweifel/git-auto-commit-action']);

/** Finds for each checkout of a job the title of the next step that uploads what was checked out; null for none. */
function archivesIn(workflow: Workflow, job: Job): (checkout: Step) => string | null {
  const next = new Map<string, Step>();
  const found = new Map<Step, Step | undefined>();
  for (const step of job.steps.toReversed()) {
    for (const path of archivedBy(workflow, step)) next.set(path, step);
    if (!isCheckout(step)) continue;
    const folders = ['', '.git', pathsIn(settingText(step.with, 'path'))[0] ?? ''];
    const archives = folders.flatMap((folder) => next.get(folder) ?? []);
    found.set(step, archives.toSorted((one, other) => one.number - other.number)[0]);
  }
  return (checkout) => found.get(checkout)?.title ?? null;
}

/** What a step uploads with hidden files, among which older versions of the checkout keep the token. */
function archivedBy(workflow: Workflow, step: Step): string[] {
  if (getAction(step) !== 'actions/upload-artifact' || step.uses === null) return [];
  const [major = 4, minor = 4] = getVersion(workflow, step.uses) ?? [];
  const hidden = settingText(step.with, 'include-hidden-files')?.value;
  const takesHidden = hidden === undefined ? major < 4 || (major === 4 && minor < 4) : hidden === 'true';
  return takesHidden ? pathsIn(settingText(step.with, 'path')) : [];
}

/** Whether a checkout is of a version that keeps its token in the workspace. */
function leavesToken(workflow: Workflow, { uses }: Step): boolean {
  const [major = 0] = (uses && getVersion(workflow, uses)) ?? [];
  return major < 6;
}

/** The paths of an input, relative to the workspace; empty for the workspace itself. */
function pathsIn(scalar: YamlScalar | null): string[] {
  const lines = (scalar?.value ?? '').split('\n').map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\$\{\{\s*github\.workspace\s*\}\}/i, '.').replace(/^\.(\/|$)/, ''))
    .map((line) => line.replace(/(^|\/)\*\*?(\/\*)?$/, '').replace(/\/$/, ''));
}

const literal = rule({
  id: 'SEC-023',
  severity: 'critical',
  confidence: 'high',
  title: 'Hard-coded credential',
  description: 'Everyone with read access to the repository, now or through its history, can use it.',
  fix: 'Revoke it, issue a new one, and store that as a secret.',
  reference: 'https://docs.github.com/en/actions/concepts/security/secrets',
  *find(workflow): Iterable<Hit> {
    const seen = new Set<number>();
    for (const hit of [...keyHits(workflow), ...passwordHits(workflow)]) {
      if (seen.has(hit.offset)) continue;
      seen.add(hit.offset);
      yield hit;
    }
  },
});

function* keyHits(workflow: Workflow): Generator<Hit> {
  for (const placed of placedTexts(workflow))
    for (const { at, value, kind } of keysIn(placed.scalar.value))
      yield { ...hitAt(workflow, placed, at), secrets: [value], detail: `It looks like ${kind}.` };
}

function* passwordHits({ jobs }: Workflow): Generator<Hit> {
  for (const job of jobs) {
    const images = [...(job.container ? [job.container] : []), ...job.services];
    for (const { credentials } of images)
      for (const text of passwords(credentials)) yield toHit(text, { job }, 'a registry password');
    for (const step of job.steps)
      for (const text of passwords(step.with))
        if (isRandom(text.value)) yield toHit(text, { job, step }, 'a password or token of a step');
  }
}

const toHit = (text: YamlScalar, where: { job: Job; step?: Step }, what: string): Hit => ({
  ...where,
  offset: text.offset,
  secrets: [text.value],
  confidence: where.step ? 'medium' : 'high',
  detail: `The file contains ${what}.`,
});

function passwords(settings: readonly Setting[]): YamlScalar[] {
  return settings.flatMap(({ key, text }) => {
    const isSecret = /(^|[-_])(password|passwd|token|secret|api[-_]?key|access[-_]?key)$/i.test(key.value);
    const isWritten = text !== null && text.value.trim() !== '' && !/\$\{\{|^\$|^(true|false)$/i.test(text.value);
    return isSecret && isWritten ? [text] : [];
  });
}

export const credentialRules: readonly Rule[] = [shownPassword, persistedCredentials, literal];
