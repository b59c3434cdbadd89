import { type RedirectToken, type ShellToken, type Span, shellTokens, type WordToken } from './shell-tokens.ts';

/** A word as it is written, quotes included, and where it begins in the run text. */
export interface Word {
  text: string;
  at: number;
  /** Of a text behind `<<`, in which quotes are characters: whether variables in it are replaced. */
  lines?: 'replaced' | 'verbatim';
}

/** One command of a run text, also of one inside another. */
export interface Command extends Span {
  /** Its name first; keywords and what is assigned in front of it are left out. */
  words: Word[];
  /** `A=b` in front of the name, or alone. */
  assignments: Word[];
  /** Where its output goes: its own list, then those that it shares with the rest of the blocks around it. */
  redirects: Redirect[][];
  /** What it is given to read in the text itself. */
  input: Word | null;
  /** The command that reads its output. */
  pipe: Command | null;
  /** The command in one of whose words it stands. */
  parent: Command | null;
  /** Its output becomes part of another command or of a variable. */
  isCaptured: boolean;
}

export interface Redirect {
  operator: string;
  /** Empty for the usual one. */
  fd: string;
  target: string;
}

/** The commands of a run text in the order they begin, and its comments. Never throws. */
export function shellCommands(text: string, isPowerShell: boolean): { commands: Command[]; comments: Span[] } {
  const { tokens, comments } = shellTokens(text, isPowerShell);
  const commands: Command[] = [];
  new Assembler(commands, isPowerShell, null).take(tokens);
  return { commands, comments };
}

/** A word without its quotes. */
export const bare = ({ text }: Word): string => (/["']/.test(text) ? text.replace(/["']/g, '') : text);

const opening = /^(\{|if|for|while|until|case|select)$/;
const closing = /^(\}|fi|done|esac)$/;
const nameless = /^(\{|if|while|until|then|else|elif|do|!)$/;

/** Nobody puts blocks deeper into each other. */
const deepestBlock = 40;

/** Puts tokens together to commands, in the order they begin. */
class Assembler {
  readonly #all: Command[];
  readonly #isPower: boolean;
  readonly #parent: Command | null;
  readonly #own: Command[] = [];
  readonly #blocks: { opener: string; first: number }[] = [];
  #current: Command | null = null;
  /** What a pipe or an input that follows is for. */
  #members: Command[] = [];
  /** What redirects of a block that is closed are added to; null before the first of them. */
  #shared: Redirect[] | null = null;
  #isFed = false;
  #piped: Command[] = [];

  /** `parent` is the command in whose word the tokens stand. */
  constructor(all: Command[], isPower: boolean, parent: Command | null) {
    this.#all = all;
    this.#isPower = isPower;
    this.#parent = parent;
  }

  take(tokens: readonly ShellToken[]) {
    for (const token of tokens) {
      if (token.kind === 'operator') this.#operator(token.text);
      else if (token.kind === 'word') this.#word(token);
      else this.#redirect(token);
    }
  }

  #start(at: number): Command {
    const command: Command = {
      at,
      end: at,
      words: [],
      assignments: [],
      redirects: [[]],
      input: null,
      pipe: null,
      parent: this.#parent,
      isCaptured: this.#parent !== null,
    };
    for (const one of this.#piped) one.pipe = command;
    this.#piped = [];
    this.#belongsTo([command]);
    this.#current = command;
    this.#own.push(command);
    this.#all.push(command);
    return command;
  }

  /** What follows is for these commands. */
  #belongsTo(members: Command[]) {
    this.#members = members;
    this.#shared = null;
    this.#isFed = false;
  }

  #redirect({ text: operator, fd, target, body, at }: RedirectToken) {
    const command = this.#current ?? (this.#members.length === 0 ? this.#start(at) : null);
    const redirect = { operator, fd, target: bare(target) };
    if (command) {
      command.redirects[0]?.push(redirect);
      command.input = body ?? command.input;
      command.end = target.at + target.text.length;
    } else this.#redirectBlock(redirect, body);
    this.#inner(target, command ?? this.#members.at(-1) ?? null);
  }

  #redirectBlock(redirect: Redirect, body: Word | null) {
    if (this.#shared === null) {
      this.#shared = [];
      for (const one of this.#members) one.redirects.push(this.#shared);
    }
    this.#shared.push(redirect);
    if (body === null || this.#isFed) return;
    this.#isFed = true;
    for (const one of this.#members) one.input = body;
  }

  #operator(text: string) {
    const isDefinition = text === '(' && this.#current !== null;
    this.#current = null;
    if (text === '(' && !isDefinition) this.#blocks.push({ opener: '(', first: this.#own.length });
    else if (text === ')' && this.#blocks.at(-1)?.opener === '(') this.#close();
    else {
      if (text.startsWith('|') && text !== '||') this.#piped = this.#members.filter(({ pipe }) => pipe === null);
      this.#belongsTo([]);
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
    this.#inner(token, command);
  }

  #inner({ inner }: WordToken, parent: Command | null) {
    for (const tokens of inner) new Assembler(this.#all, this.#isPower, parent).take(tokens);
  }

  #close() {
    const block = this.#blocks.pop();
    this.#current = null;
    this.#belongsTo(block && this.#blocks.length < deepestBlock ? this.#own.slice(block.first) : []);
  }
}
