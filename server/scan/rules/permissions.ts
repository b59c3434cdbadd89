import { getAction } from '../actions.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { isOnlyCalled } from '../triggers.ts';
import { type Permissions, settingText } from '../workflow.ts';

const reference = 'https://docs.github.com/en/actions/tutorials/authenticate-with-github_token';

const unsaid = rule({
  id: 'SEC-008',
  severity: 'medium',
  confidence: 'high',
  title: 'Missing permissions for GITHUB_TOKEN',
  description:
    'Without `permissions`, the token has the default of the organization, which may be write access to the ' +
    'repository, its packages and its releases.',
  fix: 'Start the workflow with `permissions: {}` or `contents: read`, and grant each job what it needs.',
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
  title: 'Excessive permissions for GITHUB_TOKEN',
  description:
    'Permissions of the workflow apply to every step of every job, so one compromised dependency of a test can use ' +
    'write access, or cloud access, that only a release needs.',
  fix: 'Grant read access to the workflow, and write access only to the job that needs it.',
  reference,
  *find({ permissions, jobs }): Iterable<Hit> {
    for (const job of jobs)
      if (job.permissions && isWriteAll(job.permissions)) yield { offset: job.permissions.offset, job };
    const heirs = jobs.filter((job) => job.permissions === null);
    if (permissions === null || heirs.length === 0) return;
    if (isWriteAll(permissions)) yield { offset: permissions.offset };
    const written = permissions.scopes.filter(({ text }) => text?.value === 'write').map(({ key }) => key.value);
    if (written.length === 0) return;
    const detail = `${written.join(', ')}: write is granted to ${heirs.length === 1 ? 'one job' : `${heirs.length} jobs`}.`;
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
  title: 'App token not scoped',
  description:
    'Unless it is scoped, the token of a GitHub App has all permissions of the app in every repository where it is ' +
    'installed, and every later step of the job can use it.',
  fix: 'Set `repositories`, and `permission-…` inputs with the permissions that the job needs.',
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
      if (isEverywhere) yield { ...where, detail: 'Valid for every repository where the app is installed.' };
      else
        yield {
          ...where,
          severity: 'info',
          detail: 'It has every permission of the app in its repositories.',
        };
    }
  },
});

export const permissionRules: readonly Rule[] = [unsaid, tooMuch, wideAppToken];
