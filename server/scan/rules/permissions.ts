import { getAction } from '../actions.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { isOnlyCalled } from '../triggers.ts';
import { type Permissions, settingText } from '../workflow.ts';

const reference = 'https://docs.github.com/en/actions/tutorials/authenticate-with-github_token';

const unsaid = rule({
  id: 'SEC-008',
  severity: 'medium',
  confidence: 'high',
  title: 'Permissions of the token are not set',
  description:
    'Without `permissions` the automatic token has whatever the organization gives by default, which may be the ' +
    'right to write to the repository, its packages and its releases.',
  fix: 'Begin the workflow with `permissions: {}` or `contents: read`, and give each job what it needs.',
  reference,
  *find(workflow): Iterable<Hit> {
    if (workflow.root === null || workflow.permissions !== null || isOnlyCalled(workflow)) return;
    const job = workflow.jobs.find((one) => one.permissions === null);
    if (job) yield { offset: job.offset, job };
  },
});

const tooMuch = rule({
  id: 'SEC-016',
  severity: 'high',
  confidence: 'high',
  title: 'Token may write more than its job needs',
  description:
    'What is granted to the whole workflow is granted to every step of every job, so one bad dependency of a test ' +
    'can use the right to write, or to sign in to a cloud, that only a release needs.',
  fix: 'Grant reading to the workflow, and writing to the one job that writes.',
  reference,
  *find({ permissions, jobs }): Iterable<Hit> {
    for (const job of jobs)
      if (job.permissions && isWriteAll(job.permissions)) yield { offset: job.permissions.offset, job };
    const heirs = jobs.filter((job) => job.permissions === null);
    if (permissions === null || heirs.length === 0) return;
    if (isWriteAll(permissions)) yield { offset: permissions.offset };
    const written = permissions.scopes.filter(({ text }) => text?.value === 'write').map(({ key }) => key.value);
    if (written.length === 0) return;
    const detail = `${written.join(', ')}: write goes to ${heirs.length === 1 ? 'one job' : `${heirs.length} jobs`}.`;
    if (heirs.length > 1) yield { offset: permissions.offset, detail };
    else if (written.includes('id-token'))
      yield { offset: permissions.offset, detail, severity: 'info', confidence: 'low' };
  },
});

const isWriteAll = ({ all }: Permissions) => all === 'write-all';

const wideAppToken = rule({
  id: 'SEC-043',
  severity: 'medium',
  confidence: 'high',
  title: 'App token is not narrowed',
  description:
    'A token of an app can do all that the app may do, in every repository it is installed in, unless it is asked ' +
    'for with less. Every later step of the job can use it.',
  fix: 'Name the `repositories` and, with `permission-…` inputs, the permissions that the job needs.',
  reference: 'https://github.com/actions/create-github-app-token#permission-permission-name',
  *find(workflow): Iterable<Hit> {
    for (const { job, step } of listSteps(workflow)) {
      const action = getAction(step);
      const isPlatforms = action === 'actions/create-github-app-token';
      if (!isPlatforms && action !== 'tibdex/github-app-token') continue;
      const has = (key: string) => (settingText(step.with, key)?.value ?? '').trim() !== '';
      const narrows = has('permissions') || step.with.some(({ key }) => /^permission-/i.test(key.value));
      const isEverywhere = has('owner') && !has('repositories');
      if (narrows && !isEverywhere) continue;
      const where = { offset: step.uses?.offset ?? step.offset, job, step };
      if (isEverywhere) yield { ...where, detail: 'It is good for every repository the app is installed in.' };
      else
        yield {
          ...where,
          severity: 'info',
          detail: 'It has every permission of the app in each repository it is made for.',
        };
    }
  },
});

export const permissionRules: readonly Rule[] = [unsaid, tooMuch, wideAppToken];
