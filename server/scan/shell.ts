import { remembered } from './remembered.ts';
import { type ShellToken, type Span, shellTokens, type WordToken } from './shell-tokens.ts';
import { type Job, type Step, textIn, valueIn, type Workflow } from './workflow.ts';

export type Shell = 'posix' | 'powershell' | 'other';

/** A word as it is written, quotes included, and where it begins in the run text. */
export interface Word {
  text: string;
  at: number;
}

/** One command of a run text, also of one inside another. */
export interface Command extends Span {
  /** Its name first; keywords and what is assigned in front of it are left out. */
  words: Word[];
  /** `A=b` in front of the name, or alone. */
  assignments: Word[];
  /** Where its output goes, its own or that of the block around it; `fd` is empty for the usual one. */
  redirects: { operator: string; fd: string; target: string }[];
  /** What it is given to read in the text itself. */
  input: Word | null;
  /** The command that reads its output. */
  pipe: Command | null;
  /** Its output becomes part of another command or of a variable. */
  isCaptured: boolean;
}

export interface RunText {
  shell: Shell;
  commands: Command[];
  comments: Span[];
}

/** The shell that a step runs in: its own, the job's or the workflow's default, else that of the runner. */
export function shellOf(workflow: Workflow, job: Job, step: Step): Shell {
  const defaults = [job.node, workflow.root].map((node) => textIn(valueIn(valueIn(node, 'defaults'), 'run'), 'shell'));
  const onWindows = job.runsOn.length > 0 && job.runsOn.every(({ value }) => /^windows/i.test(value));
  const name = [step.shell, ...defaults].find((one) => one !== null)?.value ?? (onWindows ? 'pwsh' : 'bash');
  if (/^(pwsh|powershell)\b/i.test(name)) return 'powershell';
  return /^(\S*\/)?(ba|da|k|z)?sh\b/.test(name) ? 'posix' : 'other';
}

/** Reads the commands of a run text. Never throws; a text of a shell that is not known has none. */
export function readRun(text: string, shell: Shell): RunText {
  if (shell === 'other') return { shell, commands: [], comments: [] };
  const { tokens, comments } = shellTokens(text, shell === 'powershell');
  const commands: Command[] = [];
  new Assembler(commands, shell === 'powershell', false).take(tokens);
  return { shell, commands, comments };
}

/** The innermost command at a place of the text. */
export function commandAt(run: RunText, at: number): Command | null {
  const { readers, furthest } = extentsOf(run);
  const reading = readers.find(({ input }) => input && input.at <= at && at < input.at + input.text.length);
  if (reading) return reading;
  let [low, high] = [0, run.commands.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((run.commands[middle] as Command).at <= at) low = middle + 1;
    else high = middle;
  }
  let inner: Command | null = null;
  for (let index = low - 1; index >= 0 && (furthest[index] as number) > at; index--) {
    const one = run.commands[index] as Command;
    if (isCloser(one, inner, at)) inner = one;
  }
  return inner;
}

/** The commands that are given a text, and how far each command and those before it reach. */
const extentsOf = remembered(({ commands }: RunText) => {
  let end = 0;
  const furthest = commands.map((one) => {
    end = Math.max(end, one.end);
    return end;
  });
  return { readers: commands.filter(({ input }) => input !== null), furthest };
});

const isCloser = (one: Command, other: Command | null, at: number) =>
  one.at <= at && at < one.end && (other === null || one.end - one.at <= other.end - other.at);

export const isInComment = ({ comments }: RunText, at: number): boolean =>
  comments.some((one) => one.at <= at && at < one.end);

/** A word without its quotes. */
export const bare = ({ text }: Word): string => (/["']/.test(text) ? text.replace(/["']/g, '') : text);

/** The words of a command without quotes, past `sudo` and the like; the name in lower case. */
export const argumentsOf = remembered(readArguments);

/** The same in one line, with spaces between them. */
export const lineOf = remembered((command: Command) => argumentsOf(command).join(' '));

function readArguments(command: Command): readonly string[] {
  const words = command.words.map(bare);
  while (/^(sudo|env|command|exec|nohup|time|builtin)$/.test(words[0] ?? '')) {
    const ownOptions = /^(sudo|env)$/.test(words.shift() ?? '') ? /^(-|\w+=)/ : /(?!)/;
    while (ownOptions.test(words[0] ?? '')) if (/^-[ug]$/.test(words.shift() ?? '')) words.shift();
  }
  return words.map((word, index) => (index === 0 ? word.toLowerCase() : word));
}

/** It shows its words, or what it is given, and does nothing else. */
export function isPrinter(command: Command): boolean {
  const [name = ''] = argumentsOf(command);
  if (/^["@]/.test(command.words[0]?.text ?? '')) return command.words.length === 1;
  const prints = /^(echo|printf|write-(host|output|information|verbose|warning|error|debug))$/.test(name);
  return prints || (name === 'cat' && command.input !== null);
}

const showing = /^(tee|tee-object|cat|base64|rev|xxd|od|hexdump|sed|tr|fold|tac|out-host|out-string)$/;

/** What it puts out ends in the log, straight away or through filters such as `base64`. */
export function endsInLog(command: Command): boolean {
  const [, ...filters] = pipelineOf(command);
  if (!filters.every((one) => showing.test(argumentsOf(one)[0] ?? ''))) return false;
  return [command, ...filters].every((one) => !one.isCaptured && !one.redirects.some(leadsAway));
}

/** It writes to one of these files of the runner, such as `GITHUB_ENV`; `tee` and the like are followed. */
export function writesTo(command: Command, files: readonly string[]): boolean {
  const names = (text: string) => files.some((file) => text.includes(file));
  return pipelineOf(command).some((one) => {
    const [name = '', ...rest] = argumentsOf(one);
    const isWriter = /^(tee|tee-object|out-file|add-content|set-content|sponge)$/.test(name) && rest.some(names);
    return isWriter || one.redirects.some(({ operator, target }) => operator.startsWith('>') && names(target));
  });
}

/** A command and those behind its pipe; longer ones than anybody writes are cut. */
function pipelineOf(command: Command): Command[] {
  const all = [command];
  for (let next = command.pipe; next !== null && all.length < 50; next = next.pipe) all.push(next);
  return all;
}

function leadsAway({ operator, fd, target }: Command['redirects'][number]): boolean {
  return operator.startsWith('>') && /^(1|&|\*)?$/.test(fd) && !/^(\d|\/dev\/(stdout|stderr|tty))$/.test(target);
}

const opening = /^(\{|if|for|while|until|case|select)$/;
const closing = /^(\}|fi|done|esac)$/;
const nameless = /^(\{|if|while|until|then|else|elif|do|!)$/;

/** Puts tokens together to commands, in the order they begin. */
class Assembler {
  readonly #all: Command[];
  readonly #isPower: boolean;
  readonly #isCaptured: boolean;
  readonly #own: Command[] = [];
  readonly #blocks: { opener: string; first: number }[] = [];
  #current: Command | null = null;
  /** What a redirect or a pipe that follows is for. */
  #members: Command[] = [];
  #piped: Command[] = [];

  constructor(all: Command[], isPower: boolean, isCaptured: boolean) {
    this.#all = all;
    this.#isPower = isPower;
    this.#isCaptured = isCaptured;
  }

  take(tokens: readonly ShellToken[]) {
    for (const token of tokens) {
      if (token.kind === 'operator') this.#operator(token.text);
      else if (token.kind === 'word') this.#word(token);
      else {
        const command = this.#current ?? (this.#members.length === 0 ? this.#start(token.at) : null);
        const { text: operator, fd, target, body } = token;
        for (const one of command ? [command] : this.#members) {
          one.redirects.push({ operator, fd, target: bare(target) });
          if (body) one.input = body;
        }
        if (command) command.end = target.at + target.text.length;
        this.#inner(target);
      }
    }
  }

  #start(at: number): Command {
    const command: Command = {
      ...{ at, end: at, words: [], assignments: [], redirects: [] },
      ...{ input: null, pipe: null, isCaptured: this.#isCaptured },
    };
    for (const one of this.#piped) one.pipe = command;
    this.#piped = [];
    this.#members = [command];
    this.#current = command;
    this.#own.push(command);
    this.#all.push(command);
    return command;
  }

  #operator(text: string) {
    const isDefinition = text === '(' && this.#current !== null;
    this.#current = null;
    if (text === '(' && !isDefinition) this.#blocks.push({ opener: '(', first: this.#own.length });
    else if (text === ')' && this.#blocks.at(-1)?.opener === '(') this.#close();
    else {
      if (text.startsWith('|') && text !== '||') this.#piped = this.#members.filter(({ pipe }) => pipe === null);
      this.#members = [];
    }
  }

  #word(token: WordToken) {
    const { text, at } = token;
    const isFirst = this.#current === null;
    if (isFirst && !this.#isPower && closing.test(text)) return this.#close();
    if (isFirst && !this.#isPower && opening.test(text)) this.#blocks.push({ opener: text, first: this.#own.length });
    if (isFirst && !this.#isPower && nameless.test(text)) return;
    const command = this.#current ?? this.#start(at);
    const isAssignment = !this.#isPower && command.words.length === 0 && /^[A-Za-z_]\w*\+?=/.test(text);
    (isAssignment ? command.assignments : command.words).push({ text, at });
    if (this.#isPower && command.words.length === 2 && /^[+]?=$/.test(text)) command.isCaptured = true;
    command.end = at + text.length;
    this.#inner(token);
  }

  #inner({ inner }: WordToken) {
    for (const tokens of inner) new Assembler(this.#all, this.#isPower, true).take(tokens);
  }

  #close() {
    const block = this.#blocks.pop();
    this.#current = null;
    this.#members = this.#own.slice(block?.first ?? this.#own.length);
  }
}
