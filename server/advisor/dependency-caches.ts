import { getAction, getVersion, isCheckout } from '../scan/actions.ts';
import { listCommands } from '../scan/places.ts';
import { formatLine } from '../scan/shell.ts';
import { type Job, type Step, settingText, textIn, valueIn, type Workflow } from '../scan/workflow.ts';
import { listUsualSteps } from './traits.ts';

/** A step that sets up a language without its cache, and the step that then installs what the lock file names. */
export interface Uncached {
  job: Job;
  setup: Step;
  install: Step;
  manager: Manager;
}

/** A package manager that a set-up action caches the downloads of; contract of the advisor, section 2.12. */
interface Manager {
  action: string;
  /** The input that switches the cache on. */
  input: string;
  value: string | boolean;
  /** Files of the root, of which one must be there. */
  locks: readonly string[];
  /** Commands that install. */
  install: RegExp;
  /** How it gets onto the runner, where it is not there: the set-up step looks for it. */
  setUpBy: RegExp | null;
  /** The first version that has the input for sure. */
  since: number;
}

const node = { action: 'actions/setup-node', input: 'cache', since: 3 };
const python = { action: 'actions/setup-python', input: 'cache', since: 3 };
const java = { action: 'actions/setup-java', input: 'cache', since: 3, setUpBy: null };
/** Options alone, none of which leads elsewhere. */
const here = String.raw`( (?!-g\b|--(global|prefix|cwd|dir|filter|workspace|version|help)\b|-[Cwvh]\b)-\S+)*$`;
/** Anything but options that lead elsewhere, or show something and build nothing. */
const building = `(?!.* (-f|--file|-p|--project-dir|-b|--build-file|-v|--?version|-h|--?help)([ =]|$))( |$)`;

const managers: readonly Manager[] = [
  {
    ...node,
    value: 'npm',
    locks: ['package-lock.json', 'npm-shrinkwrap.json'],
    install: new RegExp(`^npm (ci|clean-install|install|i)${here}`),
    setUpBy: null,
  },
  {
    ...node,
    value: 'pnpm',
    locks: ['pnpm-lock.yaml'],
    install: new RegExp(`^pnpm (install|i)${here}`),
    setUpBy: /^pnpm\/action-setup$|^corepack enable\b|^npm (install|i) (-g|--global) .*\bpnpm\b/,
  },
  { ...node, value: 'yarn', locks: ['yarn.lock'], install: new RegExp(`^yarn( install)?${here}`), setUpBy: null },
  {
    ...python,
    value: 'pip',
    locks: ['requirements.txt'],
    install: /^(python[\d.]* -m )?pip[\d.]* install (\S+ )*(-r|--requirement)[ =]?requirements\.txt\b/,
    setUpBy: null,
  },
  {
    ...python,
    value: 'pipenv',
    locks: ['Pipfile.lock'],
    install: /^pipenv (install|sync)( -\S+)*$/,
    setUpBy: /^(\S+ ){0,4}install .*\bpipenv\b/,
  },
  {
    ...python,
    value: 'poetry',
    locks: ['poetry.lock'],
    install: /^poetry install( -\S+)*/,
    setUpBy: /^snok\/install-poetry$|^abatilo\/actions-poetry$|^(\S+ ){0,4}install .*\bpoetry\b/,
  },
  { ...java, value: 'maven', locks: ['pom.xml'], install: new RegExp(`^(mvn|\\./mvnw)${building}`) },
  {
    ...java,
    value: 'gradle',
    locks: ['build.gradle', 'build.gradle.kts'],
    install: new RegExp(`^(gradle|\\./gradlew)${building}`),
  },
  { ...java, value: 'sbt', locks: ['build.sbt'], install: new RegExp(`^sbt${building}`) },
  {
    action: 'actions/setup-dotnet',
    input: 'cache',
    value: true,
    locks: ['packages.lock.json'],
    install: /^dotnet restore( -\S+)*$/,
    setUpBy: null,
    since: 4,
  },
  {
    action: 'ruby/setup-ruby',
    input: 'bundler-cache',
    value: true,
    locks: ['Gemfile.lock'],
    install: /^bundle install( -\S+)*$/,
    setUpBy: null,
    since: 1,
  },
];

/** Where a workflow installs dependencies of the root without a cache of the action that sets up their language. */
export function listUncached(workflow: Workflow, rootFiles: readonly string[]): Uncached[] {
  return listUsualSteps(workflow).flatMap(({ job, step: setup }) => {
    const action = getAction(setup);
    if (setup.with.some(({ key }) => isCacheInput(key.value))) return [];
    const offered = managers.filter(
      (one) => one.action === action && one.locks.some((lock) => rootFiles.includes(lock)),
    );
    return offered
      .flatMap((manager) => {
        const install = job.steps.find(
          (step) => step.number > setup.number && installsAtRoot(workflow, job, step, manager),
        );
        return install ? [{ job, setup, install, manager }] : [];
      })
      .slice(0, 1);
  });
}

/** Whoever says that the action caches nothing means it. */
const isCacheInput = (key: string) => /^(cache|bundler-cache|package-manager-cache)$/i.test(key);

function installsAtRoot(workflow: Workflow, job: Job, step: Step, { install }: Manager): boolean {
  const isElsewhere = [job.node, workflow.root].some(
    (node) => textIn(valueIn(valueIn(node, 'defaults'), 'run'), 'working-directory') !== null,
  );
  if (isElsewhere || textIn(step.node, 'working-directory') !== null) return false;
  const lines = listCommands(workflow, step).map(formatLine);
  const at = lines.findIndex((line) => install.test(line));
  return at >= 0 && !lines.slice(0, at).some((line) => /^(cd|pushd|set-location)\b/.test(line));
}

/** What must be in place when the set-up step looks for its cache: the lock file, and the tool itself. */
export function isReady(workflow: Workflow, { job, setup, install, manager }: Uncached): boolean {
  const before = job.steps.filter(({ number }) => number < setup.number);
  const isCheckedOut = before.some((step) => isCheckout(step) && isOfRoot(step));
  // It installs at once, before anything that the steps between may set up.
  const isNext = manager.action !== 'ruby/setup-ruby' || install.number === setup.number + 1;
  return isCheckedOut && isNext && isToolThere(workflow, job, before, manager);
}

/** Whether a checkout puts this repository where jobs begin. */
const isOfRoot = (checkout: Step): boolean =>
  ['path', 'repository'].every((input) => settingText(checkout.with, input) === null);

function isToolThere(workflow: Workflow, job: Job, before: readonly Step[], { value, setUpBy }: Manager): boolean {
  const isDone = (steps: readonly Step[], by: RegExp) =>
    steps.some(
      (step) =>
        by.test(getAction(step) ?? '') || listCommands(workflow, step).some((command) => by.test(formatLine(command))),
    );
  if (setUpBy !== null) return isDone(before, setUpBy);
  // Corepack may bring another version of Yarn than the one that is there.
  return value !== 'yarn' || !isDone(job.steps, /^corepack\b/) || isDone(before, /^corepack enable\b/);
}

/** Whether something caches the same already, or may: newer versions of the action do by what `package.json` says. */
export function mayCacheAlready(workflow: Workflow, { job, setup, manager }: Uncached): boolean {
  const major = versionOf(workflow, setup) ?? 0;
  const cachesItself = manager.action === node.action && (major === 5 || (major > 5 && manager.value === 'npm'));
  const caching = /^(gradle|buildjet|swatinem)\/|\bcache\b/;
  return cachesItself || job.steps.some((step) => caching.test(getAction(step) ?? ''));
}

/** Whether the version of the action that sets up is known to have the input. */
export const hasInput = (workflow: Workflow, { setup, manager }: Uncached): boolean =>
  (versionOf(workflow, setup) ?? 0) >= manager.since;

const versionOf = (workflow: Workflow, { uses }: Step) => (uses && getVersion(workflow, uses)?.[0]) ?? null;
