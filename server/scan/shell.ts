import { itemAround, lastBeginning } from './bisection.ts';
import { memoize } from './memoize.ts';
import { bare, type Command, type Redirect, shellCommands, type Word } from './shell-commands.ts';
import type { Span } from './shell-tokens.ts';
import { type Job, type Step, textIn, valueIn, type Workflow } from './workflow.ts';

export type Shell = 'posix' | 'powershell' | 'other';

export interface RunText {
  shell: Shell;
  commands: Command[];
  comments: Span[];
}

/** The shell that a step runs in: its own, the job's or the workflow's default, else that of the runner. */
export const getShell = (workflow: Workflow, job: Job, step: Step): Shell =>
  step.shell ? shellNamed(step.shell.value) : (defaultShells(workflow).get(job) ?? 'other');

const defaultShells = memoize(
  (workflow: Workflow) => new Map(workflow.jobs.map((job) => [job, shellNamed(defaultShell(workflow, job))])),
);

function defaultShell(workflow: Workflow, job: Job): string {
  const defaults = [job.node, workflow.root].map((node) => textIn(valueIn(valueIn(node, 'defaults'), 'run'), 'shell'));
  const onWindows = job.runsOn.length > 0 && job.runsOn.every(({ value }) => /^windows/i.test(value));
  return defaults.find((one) => one !== null)?.value ?? (onWindows ? 'pwsh' : 'bash');
}

function shellNamed(name: string): Shell {
  if (/^(pwsh|powershell)\b/i.test(name)) return 'powershell';
  return /^(\S*\/)?(ba|da|k|z)?sh\b/.test(name) ? 'posix' : 'other';
}

/** Reads the commands of a run text. Never throws; a text of a shell that is not known has none. */
export function readRun(text: string, shell: Shell): RunText {
  if (shell === 'other') return { shell, commands: [], comments: [] };
  return { shell, ...shellCommands(text, shell === 'powershell') };
}

/** The innermost command at a place of the text. */
export function commandAt(run: RunText, at: number): Command | null {
  const reading = itemAround(findInputs(run), at);
  if (reading) return reading.command;
  let one = run.commands[lastBeginning(run.commands, at, (command) => command.at)] ?? null;
  while (one !== null && one.end <= at) one = one.parent;
  return one;
}

/** The texts that commands are given, each with the first command that reads it. */
const findInputs = memoize(({ commands }: RunText) => {
  const first = new Map<Word, Command>();
  for (const command of commands) if (command.input && !first.has(command.input)) first.set(command.input, command);
  return [...first]
    .map(([{ at, text }, command]) => ({ at, end: at + text.length, command }))
    .sort((one, other) => one.at - other.at);
});

/** Which word of a command a place of the text lies in; -1 for none. */
export function wordIndexAt({ words }: Command, at: number): number {
  const index = lastBeginning(words, at, (one) => one.at);
  const word = words[index];
  return word !== undefined && at < word.at + word.text.length ? index : -1;
}

export const isInComment = ({ comments }: RunText, at: number): boolean => itemAround(comments, at) !== null;

/** The words of a command without quotes, past `sudo` and the like; the name in lower case. */
export const listArguments = memoize(readArguments);

/** The same in one line, with spaces between them. */
export const formatLine = memoize((command: Command) => listArguments(command).join(' '));

function readArguments(command: Command): readonly string[] {
  const words = command.words.map(bare);
  let first = 0;
  while (/^(sudo|env|command|exec|nohup|time|builtin)$/.test(words[first] ?? '')) {
    const ownOptions = /^(sudo|env)$/.test(words[first] ?? '') ? /^(-|\w+=)/ : /(?!)/;
    first++;
    while (ownOptions.test(words[first] ?? '')) first += /^-[ug]$/.test(words[first] ?? '') ? 2 : 1;
  }
  return words.slice(first).map((word, index) => (index === 0 ? word.toLowerCase() : word));
}

/** It shows its words, or what it is given, and does nothing else. */
export function isPrinter(command: Command): boolean {
  const [name = ''] = listArguments(command);
  if (/^["@]/.test(command.words[0]?.text ?? '')) return command.words.length === 1;
  const prints = /^(echo|printf|write-(host|output|information|verbose|warning|error|debug))$/.test(name);
  return prints || (name === 'cat' && command.input !== null);
}

const showing = /^(tee|tee-object|cat|base64|rev|xxd|od|hexdump|sed|tr|fold|tac|out-host|out-string)$/;

/** What it puts out ends in the log, straight away or through filters such as `base64`. */
export const endsInLog = memoize(
  (command: Command): boolean =>
    isShownAsItIs(command) && getPipeline(command).every((one) => !one.isCaptured && !one.redirects.some(leadAway)),
);

/** What it puts out goes on as it is, or through filters such as `base64`, to wherever it ends. */
export const isShownAsItIs = (command: Command): boolean =>
  getPipeline(command)
    .slice(1)
    .every((one) => showing.test(listArguments(one)[0] ?? ''));

/** It writes to one of these files of the runner, such as `GITHUB_ENV`; `tee` and the like are followed. */
export function writesTo(command: Command, files: readonly RunnerFile[]): boolean {
  return getPipeline(command).some((one) => filesWritten(one).some((file) => files.includes(file)));
}

/** The files of the runner that a command alone writes to. */
const filesWritten = memoize((command: Command): RunnerFile[] => {
  const [name = '', ...rest] = listArguments(command);
  const isWriter = /^(tee|tee-object|out-file|add-content|set-content|sponge)$/.test(name);
  return [...(isWriter ? rest.flatMap(runnerFilesIn) : []), ...command.redirects.flatMap(filesBehind)];
});

const filesBehind = memoize((redirects: readonly Redirect[]): RunnerFile[] => [
  ...new Set(redirects.flatMap(({ operator, target }) => (operator.startsWith('>') ? runnerFilesIn(target) : []))),
]);

const runnerFiles = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_PATH', 'GITHUB_STEP_SUMMARY'] as const;
export type RunnerFile = (typeof runnerFiles)[number];

const runnerFilesIn = (text: string) => runnerFiles.filter((file) => text.includes(file));

/** A command and those behind its pipe; longer ones than anybody writes are truncated. */
export function getPipeline(command: Command): Command[] {
  const all = [command];
  for (let next = command.pipe; next !== null && all.length < 50; next = next.pipe) all.push(next);
  return all;
}

/** Whether output goes elsewhere than to the log. */
const leadAway = memoize((redirects: readonly Redirect[]) => redirects.some(leadsAway));

function leadsAway({ operator, fd, target }: Redirect): boolean {
  return operator.startsWith('>') && /^(1|&|\*)?$/.test(fd) && !/^(\d|\/dev\/(stdout|stderr|tty))$/.test(target);
}
