import { getAction, isCheckout, parseUses } from './actions.ts';
import { expressionsIn } from './expressions.ts';
import { flowsInto } from './flows.ts';
import { memoize } from './memoize.ts';
import { listCommands, readRunText } from './places.ts';
import { listArguments, type RunText } from './shell.ts';
import type { Command } from './shell-commands.ts';
import {
  findExpressions,
  findVariable,
  isTextAround,
  type Job,
  type Setting,
  type Step,
  settingText,
  type Workflow,
} from './workflow.ts';
import type { YamlScalar } from './yaml.ts';

/** The head of a pull request, or of the run that started this one, by whatever name. */
const heads = [
  /^github\.head_ref$/,
  /^github\.event\.pull_request\.head\.(ref|sha|label|repo\..*)$/,
  /^github\.event\.pull_request\.merge_commit_sha$/,
  /^github\.event\.workflow_run\.(head_sha|head_branch|head_commit\.id|head_repository\..*)$/,
  /^github\.event\.workflow_run\.pull_requests\.[^.]+\.head\.(ref|sha)$/,
  // What a step, or a job before, requested from the platform.
  /^(steps|needs)\..+\.outputs\.(.+[_-])?head_(ref|sha|branch)$/,
];

/** Tells by its name whether a variable names the head of a change. */
type IsHead = (name: string) => boolean;

/** Whether a text names the head of a change: by an expression, by `refs/pull/`, or by a variable that does. */
function namesHead(text: string, isVariable: IsHead = () => false, isInContext: IsHead = () => false): boolean {
  const isHead = (path: string) =>
    heads.some((head) => head.test(path)) || (path.startsWith('env.') && isInContext(path.slice('env.'.length)));
  if (flowsInto(text).some(({ path }) => isHead(path))) return true;
  if (/refs\/(remotes\/)?pull\//.test(text) || text.split(/\s/).some(isPullRef)) return true;
  return [...text.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => isVariable(name) || name === 'GITHUB_HEAD_REF');
}

/** `pull/1/head`, also behind the name of a remote and the like. */
function isPullRef(word: string): boolean {
  const at = word.search(/(?<![^:+"'=])(refs\/)?pull\//);
  return at >= 0 && /\/(head|merge)\b/.test(word.slice(word.indexOf('pull/', at) + 'pull/'.length));
}

/** Whether a step brings the code of a change into the workspace. */
export function checksOutHead(workflow: Workflow, job: Job, step: Step): boolean {
  const isInContext = (name: string) => {
    const value = findVariable(workflow, job, step, name);
    return value !== null && isOfHead(value);
  };
  if (isCheckout(step)) {
    const texts = ['ref', 'repository'].map((key) => settingText(step.with, key)?.value ?? '');
    return texts.some((text) => namesHead(text, undefined, isInContext));
  }
  if (!step.run) return false;
  const named = [workflow.env, job.env, step.env].map(headsIn);
  const isVariable = (name: string) => named.some((names) => names.has(name));
  const names = (text: string) => namesHead(text, isVariable, isInContext);
  const moves = (lastMoves(workflow).get(job) ?? 0) >= step.number;
  return listCommands(workflow, step).some((command) => bringsHead(command, names, moves));
}

const isOfHead = memoize(({ value }: YamlScalar) => namesHead(value));

/** The variables that name the head of a change. */
const headsIn = memoize(
  (env: readonly Setting[]) => new Set(env.flatMap(({ key, text }) => (text && isOfHead(text) ? [key.value] : []))),
);

/** The number of the last step of each job that moves the workspace to another commit. */
const lastMoves = memoize((workflow: Workflow) => {
  const movers = workflow.jobs.map((job) =>
    job.steps.findLast((one) => listCommands(workflow, one).some(movesWorkspace)),
  );
  return new Map(workflow.jobs.map((job, index) => [job, movers[index]?.number ?? 0]));
});

/** What is only fetched lies aside until a later command moves the workspace to it. */
function bringsHead(command: Command, names: (text: string) => boolean, moves: boolean): boolean {
  const [tool, ...words] = listArguments(command);
  if (tool === 'gh') return words[0] === 'pr' && words[1] === 'checkout';
  const isBringing = /^(pull|clone)$/.test(getSubcommand(command)) || movesWorkspace(command);
  const isMeant = isBringing || (getSubcommand(command) === 'fetch' && moves);
  return isMeant && command.words.some(({ text }) => names(text));
}

const movesWorkspace = (command: Command) =>
  /^(checkout|switch|reset|merge|worktree|rebase|cherry-pick)$/.test(getSubcommand(command));

/** The subcommand of `git`; empty for another tool. */
function getSubcommand(command: Command): string {
  const [tool, ...words] = listArguments(command);
  return tool === 'git' ? (words.find((word) => /^[a-z]+(-[a-z]+)*$/.test(word)) ?? '') : '';
}

/** Tools that run what is in the files of the workspace. */
const runners = new Set(
  [
    'npm npx pnpm yarn bun bunx deno make gmake cmake ninja bazel bazelisk mvn mvnw gradle gradlew sbt ant cargo go',
    'poetry uv hatch tox nox pytest pre-commit bundle rake composer phpunit dotnet msbuild docker docker-compose',
    'terraform ansible-playbook swift xcodebuild flutter dart mix stack cabal nix nix-build just task lerna nx turbo',
    'vitest jest',
  ].flatMap((line) => line.split(' ')),
);
const interpreters = /^(python\d?(\.\d+)?|ruby|perl|php|bash|sh|zsh|source|\.|pwsh|powershell|node|deno|bun)$/;
const harmless =
  /^(login|logout|config|cache|version|env|whoami|pull|push|tag|inspect|images|ps|logs|nuget|-v|-V|--?version|--?help)$/;

/** Whether a command runs something that files of the workspace decide. */
export function runsFiles(command: Command): boolean {
  const [tool = '', ...words] = listArguments(command);
  if (/^pip\d?$/.test(tool)) return words.some((word) => /^(-r|-e|--requirement|--editable|\.\S*)$/.test(word));
  if (runsScript(command)) return true;
  const isNamed = words.some((word) => /^(-g|--global|tool)$|@[\w.^~-]+$/.test(word));
  return runners.has(tool) && !harmless.test(words[0] ?? '') && !isNamed;
}

/** Whether a command runs a file by its path, alone or in an interpreter. */
export function runsScript(command: Command): boolean {
  const [tool = '', ...words] = listArguments(command);
  if (/^\.{0,2}\/[^/]|^\w[\w.-]*\/.*\.(sh|py|js|mjs|ts|rb|pl|ps1)$|^\.{1,2}\\/.test(tool))
    return !/^\/(usr|bin|opt)\b/.test(tool);
  if (!interpreters.test(tool) || words.some((word) => /^(-c|-e|-m|-v|-V|--version|--eval)$/.test(word))) return false;
  return words.some((word) => !word.startsWith('-') && !/^<\(|^\$\(/.test(word));
}

/** Whether a step runs something that files of the workspace decide, an action that lies there included. */
export function runsWorkspace(workflow: Workflow, step: Step): boolean {
  if (step.run) return runningSteps(readRunText(workflow, step));
  const uses = step.uses && parseUses(step.uses);
  return uses?.kind === 'local' && uses.path.startsWith('.');
}

const runningSteps = memoize(({ commands }: RunText) => commands.some(runsFiles));

const fetching = /^(dawidd6\/action-download-artifact|aochmann\/actions-download-artifact)$/;

/** Whether a step brings files that another run made; null when it does not. `path` is where to, if it is set. */
export function fetchedArtifact(workflow: Workflow, step: Step): { path: string | null } | null {
  const path = settingText(step.with, 'path')?.value ?? null;
  const action = getAction(step) ?? '';
  const ofRun = settingText(step.with, 'run-id');
  if (action === 'actions/download-artifact') return ofRun && namesRun(ofRun.value) ? { path } : null;
  if (fetching.test(action)) return { path };
  const script = action === 'actions/github-script' ? settingText(step.with, 'script')?.value : null;
  if (script && /\bdownloadArtifact\b/.test(script)) return { path: null };
  const commands = step.run ? listCommands(workflow, step) : [];
  return commands.some(fetchesArtifact) ? { path: null } : null;
}

const namesRun = (text: string) =>
  expressionsIn(text).some(({ paths }) => paths.some((path) => path.startsWith('github.event.workflow_run.')));

function fetchesArtifact(command: Command): boolean {
  const [tool, verb, object] = listArguments(command);
  if (tool === 'gh' && verb === 'run') return object === 'download';
  const isCall = (tool === 'gh' && verb === 'api') || tool === 'curl' || tool === 'wget';
  return isCall && command.words.some(({ text }) => /\/artifacts\/|archive_download_url|ARTIFACTS?_URL/i.test(text));
}

/** Whether a job's steps ask who started it before they go on. */
export const checksPermission = memoize(hasPermissionCheck);

function hasPermissionCheck({ steps }: Job): boolean {
  return steps.some((step) => {
    if (/(permission|author|check-user|slash-command|^github\/command)/.test(getAction(step) ?? '')) return true;
    const condition = step.condition && !isTextAround(step.condition) ? step.condition : null;
    const texts = [step.run, settingText(step.with, 'script'), condition, settingText(step.with, 'query')];
    const isMembershipCheck =
      /author_?association|getCollaboratorPermissionLevel|collaborators\/|getMembership|memberships?\//i;
    return texts.some(
      (text) => text && (isMembershipCheck.test(text.value) || findExpressions(text).some(checksAssociation)),
    );
  });
}

const checksAssociation = ({ paths }: { paths: string[] }) =>
  paths.some((path) => path.endsWith('.author_association'));
