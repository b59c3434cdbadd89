import { getAction, parseUses } from '../../scan/actions.ts';
import { runsFiles, runsScript } from '../../scan/checkouts.ts';
import { findDeployment } from '../../scan/deploys.ts';
import { listCommands, runsUnread } from '../../scan/places.ts';
import { getRule } from '../../scan/rules.ts';
import { formatLine, listArguments } from '../../scan/shell.ts';
import type { Command } from '../../scan/shell-commands.ts';
import { findExpressions, type Job, type Step, type Workflow } from '../../scan/workflow.ts';
import { textsBelow } from '../../scan/yaml.ts';
import { kind, withoutHistory } from '../kind.ts';
import type { Change } from '../patch/change.ts';
import { reasonsWhere } from '../reasons.ts';
import { hasEvent, isForReleases } from '../traits.ts';

/** Contract of the advisor, section 2.15. */
export const permissions = kind({
  id: 'ADV-20',
  title: 'Grant the least permissions',
  certainty: 'risk',
  rules: ['SEC-008', 'SEC-016'],
  definition: 'The token gets what the actions of the file are known to need, and reading the repository.',
  *find({ workflow, around }) {
    const isMissing = workflow.permissions === null;
    if (!isMissing && workflow.permissions?.all !== 'write-all') return;
    const [hit] = getRule(isMissing ? 'SEC-008' : 'SEC-016').find(workflow, around);
    if (!hit) return;
    const heirs = workflow.jobs.filter((job) => job.permissions === null);
    const scopes = scopesOf(heirs.flatMap(({ steps }) => steps));
    const text = isMissing
      ? 'The token of its jobs has the default permissions of the repository, which may be write.'
      : 'The token of every job may write everything.';
    yield {
      anchor: ['permissions'],
      offset: hit.offset,
      ...withoutHistory(text),
      reasons: reasonsWhere({
        called_workflow: hasEvent(workflow, 'workflow_call'),
        calls_workflow: heirs.some(({ uses }) => uses !== null),
        token_use_unknown:
          scopes === null ||
          Object.values(scopes).includes('write') ||
          usesToken(workflow, heirs) ||
          (!isMissing && mayUseIdentity(workflow, heirs)),
      }),
      changes: scopes === null ? [] : toChanges(isMissing, scopes),
      counterfactual: null,
    };
  },
});

type Scopes = Record<string, 'read' | 'write'>;

/** What the token needs for an action; nothing for those with an empty list. */
const scopesByAction: Readonly<Record<string, Scopes>> = {
  'actions/attest': { attestations: 'write', 'id-token': 'write' },
  'actions/attest-build-provenance': { attestations: 'write', 'id-token': 'write' },
  'actions/cache': {},
  'actions/cache/restore': {},
  'actions/cache/save': {},
  'actions/checkout': { contents: 'read' },
  'actions/configure-pages': { pages: 'read' },
  'actions/deploy-pages': { pages: 'write', 'id-token': 'write' },
  'actions/download-artifact': {},
  'actions/labeler': { contents: 'read', 'pull-requests': 'write' },
  'actions/upload-artifact': {},
  'actions/upload-pages-artifact': {},
  'github/codeql-action/analyze': { actions: 'read', contents: 'read', 'security-events': 'write' },
  'github/codeql-action/autobuild': {},
  'github/codeql-action/init': { actions: 'read', contents: 'read' },
  'github/codeql-action/upload-sarif': { contents: 'read', 'security-events': 'write' },
  'ruby/setup-ruby': {},
};

/** What the steps need together, reading the repository at least; null where an action is not known. */
function scopesOf(steps: readonly Step[]): Scopes | null {
  const needed: Scopes = { contents: 'read' };
  for (const step of steps) {
    if (step.uses === null) continue;
    const action = getAction(step);
    const isImage = parseUses(step.uses)?.kind === 'docker';
    const scopes = action === null ? undefined : /^actions\/setup-/.test(action) ? {} : scopesByAction[action];
    if (!scopes && !isImage) return null;
    for (const [scope, level] of Object.entries(scopes ?? {})) if (needed[scope] !== 'write') needed[scope] = level;
  }
  return needed;
}

/** Whether a token is handed to something that the file does not name, or used by a command. */
const usesToken = (workflow: Workflow, heirs: readonly Job[]): boolean =>
  (workflow.root === null ? [] : textsBelow(workflow.root)).some((text) =>
    findExpressions(text).some(({ paths }) => paths.some((path) => handed.test(path))),
  ) ||
  heirs.some(({ steps }) =>
    steps.some(
      (step) =>
        runsUnread(workflow, step) ||
        listCommands(workflow, step).some((command) => mayUse(command) || using.test(formatLine(command))),
    ),
  );

/** The token by any of its names, or everything that is known of the run or its secrets. */
const handed = /^(github|github\.token|secrets|secrets\.github_token)$/;
/** Commands that use the token of the checkout or an identity of the run. */
const using = /^(gh|git( -\S+( [^-\s]\S*)?)* push)\b|--provenance\b|\b(gh-pages|semantic-release|mkdocs gh-deploy)\b/;

/**
 * Whether something may ask for the identity of the run, which `write-all` grants and the default permissions do not: what
 * deploys or publishes may without saying so.
 */
const mayUseIdentity = (workflow: Workflow, heirs: readonly Job[]): boolean =>
  isForReleases(workflow) ||
  heirs.some(
    (job) =>
      job.environment !== null ||
      findDeployment(workflow, job) !== null ||
      textsBelow(job.node).some(({ value }) => identity.test(value)),
  );

const identity = /ACTIONS_ID_TOKEN_REQUEST|\b(cosign|gitsign|sigstore)\b/;

/** Whether a command runs what the repository decides, unless its name says that it builds, tests or installs. */
function mayUse(command: Command): boolean {
  if (runsScript(command)) return true;
  const words = listArguments(command).filter((word) => !/^-|=/.test(word));
  const builds = words.length === 1 || words.some((word) => building.test(word));
  return runsFiles(command) && (!builds || words.some((word) => bringing.test(word)));
}

/** Of a target such as `test:unit` or `assembleDebug`, or a tool; some words say so only by themselves. */
const building =
  /^(all|ci|i|package|plan)$|(^|[/:_-])(analy[sz]e|assemble|bench|build|check|clippy|compile|coverage|e2e|eslint|fmt|format|install|integration|jest|lint|phpunit|playwright|prettier|pytest|restore|rspec|spec|tests?|tsc|typecheck|unit|validate|verify|vet|vitest)($|[:_A-Z-])/;
const bringing =
  /(^|[/:_-])(bots?|bump|changelog|commit|contributors|deploy|docs|mirror|publish|push|refresh|release|sync|tag|translate|updates?|upload|version)($|[:_A-Z-])/;

function toChanges(isMissing: boolean, scopes: Scopes): Change[] {
  const insertion: Change = { do: 'insert', at: [], key: 'permissions', value: scopes, after: ['on'] };
  return isMissing ? [insertion] : [{ do: 'replace', at: ['permissions'], value: scopes }];
}
