import { getAction } from '../actions.ts';
import { findDeployment } from '../deploys.ts';
import { memoize } from '../memoize.ts';
import { hitAt, listRunSteps } from '../places.ts';
import { type Hit, listSteps, type Rule, rule } from '../rule.ts';
import { isCredential, secretsIn } from '../secrets.ts';
import { formatLine } from '../shell.ts';
import { isOnlyCalled } from '../triggers.ts';
import { findExpressions, type Job, type Setting, settingText } from '../workflow.ts';
import { textsBelow, type YamlScalar } from '../yaml.ts';

const outsideEnvironment = rule({
  id: 'SEC-022',
  severity: 'info',
  confidence: 'medium',
  title: 'Deployment without an environment',
  description:
    'Secrets of the repository are available to every workflow on every branch. Secrets of an environment can ' +
    'require a review and be restricted to release branches.',
  fix: 'Set an `environment` on the job, and move its secrets there.',
  reference: 'https://docs.github.com/en/actions/concepts/workflows-and-actions/deployment-environments',
  *find(workflow): Iterable<Hit> {
    if (isOnlyCalled(workflow)) return;
    for (const job of workflow.jobs) {
      const deployment = job.environment === null ? findDeployment(workflow, job) : null;
      if (!deployment) continue;
      if (hasSecrets(job)) yield { offset: job.offset, job, confidence: deployment.confidence, detail: deployment.why };
    }
  },
});

const lastingSecretsIn = memoize((scalar: YamlScalar) =>
  findExpressions(scalar).flatMap((expression) => secretsIn(expression).filter(isCredential)),
);

function hasSecrets(job: Job): boolean {
  for (const scalar of textsBelow(job.node)) if (lastingSecretsIn(scalar).length > 0) return true;
  return false;
}

const longLivedKey = rule({
  id: 'SEC-037',
  severity: 'info',
  confidence: 'medium',
  title: 'Long-lived credential instead of OIDC',
  description:
    'A key stored as a secret works from anywhere until it is revoked. With OpenID Connect the cloud or registry ' +
    'trusts GitHub and issues each run a short-lived token.',
  fix: 'Sign in with `id-token: write` (OpenID Connect, trusted publishing), then delete the secret.',
  reference: 'https://docs.github.com/en/actions/concepts/security/openid-connect',
  *find(workflow): Iterable<Hit> {
    for (const { job, step } of listSteps(workflow)) {
      const action = getAction(step);
      const spec = action === null ? undefined : signIns.find((one) => one.action === action);
      const key = spec && settingText(step.with, spec.key);
      if (!spec || !key || lastingSecretsIn(key).length === 0) continue;
      if (spec.unless.some((other) => (settingText(step.with, other)?.value ?? '').trim() !== '')) continue;
      yield { offset: key.offset, job, step };
    }
    for (const one of listRunSteps(workflow)) {
      const given = [one.step.env, one.job.env, workflow.env];
      if (!given.some(holdsPublishersKey)) continue;
      for (const command of one.run.commands) {
        const spec = publishers.find(({ line }) => line.test(formatLine(command)));
        const variable = spec && given.map((env) => publishersKeys(env).get(spec)).find(Boolean);
        if (variable && lastingSecretsIn(variable).length > 0) yield hitAt(workflow, one, command.at);
      }
    }
  },
});

/** Actions that take a long-lived key, by the input that holds it. */
const signIns: readonly { action: string; key: string; unless: readonly string[] }[] = [
  { action: 'aws-actions/configure-aws-credentials', key: 'aws-access-key-id', unless: ['aws-session-token'] },
  { action: 'azure/login', key: 'creds', unless: [] },
  { action: 'google-github-actions/auth', key: 'credentials_json', unless: [] },
  { action: 'pypa/gh-action-pypi-publish', key: 'password', unless: ['repository-url', 'repository_url'] },
];

interface Publisher {
  line: RegExp;
  variable: RegExp;
}

/** Commands whose registry can trust the platform, by the variable that holds the key. */
const publishers: readonly Publisher[] = [
  { line: /^(p?npm|yarn npm) publish\b(?!.*(--dry-run|npm\.pkg))/, variable: /^(NODE_AUTH_TOKEN|NPM_TOKEN)$/i },
  { line: /^(python3? -m )?twine upload\b(?!.*--repository)/, variable: /^TWINE_PASSWORD$/i },
  { line: /^cargo publish\b(?!.*(--dry-run|--registry))/, variable: /^CARGO_REGISTRY_TOKEN$/i },
  { line: /^gem push\b(?!.*--host)/, variable: /^GEM_HOST_API_KEY$/i },
];

const holdsPublishersKey = (env: readonly Setting[]) => publishersKeys(env).size > 0;

/** The last variable for each of them. */
const publishersKeys = memoize((env: readonly Setting[]) => {
  const keys = new Map<Publisher, YamlScalar>();
  for (const { key, text } of env)
    for (const spec of publishers) if (text !== null && spec.variable.test(key.value)) keys.set(spec, text);
  return keys;
});

export const publishingRules: readonly Rule[] = [outsideEnvironment, longLivedKey];
