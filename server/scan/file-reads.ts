import { lastBeginning } from './bisection.ts';
import { memoize } from './memoize.ts';
import { listArguments, type RunText } from './shell.ts';
import type { Command, Redirect, Word } from './shell-commands.ts';

/** Commands that print files, when nothing is piped into them. */
const readers = /^(cat|jq|yq|head|tail|grep|awk|sed|cut|unzip|tar)$/;
/** Commands that print the answer of a service. */
const clients = /^(curl|wget|gh)$/;

/** The names of the variables that a text of a shell uses. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(/\$(?:env:)?\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);

/** A variable whose value a word is given; `name` as it is written. */
interface Replaced {
  name: string;
  /** In the run text. */
  at: number;
}

/** The variables of the environment that a shell puts into a word: not in single quotes, and not only named. */
export function* variablesReplaced(word: Word, shell: RunText['shell']): Generator<Replaced> {
  if (word.lines === 'verbatim') return;
  const isPower = shell === 'powershell';
  let quote = '';
  for (const { 0: found, 1: braced, 2: name = braced, index } of word.text.matchAll(isPower ? powerPieces : pieces)) {
    if (name !== undefined) {
      if (quote !== "'") yield { name, at: word.at + index };
    } else if (found.length === 1 && word.lines === undefined) {
      if (quote === '') quote = found;
      else if (quote === found) quote = '';
    }
  }
}

/** Escaped characters, quotes, and variables; `${NAME:+word}` is only whether there is one. */
const pieces = /\\.|["']|\$\{([A-Za-z_]\w*)(?!\w|:?\+)|\$([A-Za-z_]\w*)/gs;
const powerPieces = /`.|["']|\$\{env:([A-Za-z_]\w*)|\$env:([A-Za-z_]\w*)/gis;

/** Whether what a command puts out comes from a file, also by way of a variable that is not compared with a pattern. */
export const readsFile = (run: RunText, command: Command): boolean =>
  readsBy(run, command, (one) => isReader(run, one), new Set());

/** The same of a file or a service. */
export const readsFileOrService = (run: RunText, command: Command): boolean =>
  readsBy(run, command, (one) => isReader(run, one) || clients.test(listArguments(one)[0] ?? ''), new Set());

function isReader(run: RunText, command: Command): boolean {
  if (command.input !== null || pipedInto(run).has(command)) return false;
  if (command.words.length === 0) return command.redirects.some(hasInput);
  return readers.test(listArguments(command)[0] ?? '');
}

const hasInput = memoize((redirects: readonly Redirect[]) => redirects.some(({ operator }) => operator === '<'));

/** The commands that read the output of others. */
const pipedInto = memoize(({ commands }: RunText) => new Set(commands.map(({ pipe }) => pipe)));

function readsBy(run: RunText, command: Command, reads: (one: Command) => boolean, seen: Set<Command>): boolean {
  if (seen.has(command) || seen.size > 20) return false;
  seen.add(command);
  if (commandsWithin(run, command).some(reads)) return true;
  for (const name of listVariables(command))
    if (!comparedIn(run).has(name))
      for (const one of settersIn(run).get(name) ?? []) if (readsBy(run, one, reads, seen)) return true;
  return false;
}

/** A command with those inside it. */
function commandsWithin({ commands }: RunText, { at, end }: Command): Command[] {
  const first = lastBeginning(commands, at - 1, (one) => one.at) + 1;
  const last = lastBeginning(commands, end - 1, (one) => one.at);
  return commands.slice(first, last + 1);
}

const listVariables = memoize(({ words, assignments }: Command) => [
  ...new Set([...words, ...assignments].flatMap(({ text }) => variablesIn(text))),
]);

/** Whether a run text gives a variable another value itself. */
export const isSetIn = (run: RunText, name: string): boolean => settersIn(run).has(name);

/** The commands that set each variable; nobody sets one in more places than are looked at. */
const settersIn = memoize(({ commands }: RunText) => {
  const setters = new Map<string, Command[]>();
  for (const command of commands)
    for (const { text } of command.assignments) {
      const name = text.split(/\+?=/, 1)[0] ?? '';
      const known = setters.get(name) ?? [];
      setters.set(name, known);
      if (known.length < 20) known.push(command);
    }
  return setters;
});

/** The variables that are compared with a pattern: `[[ "$n" =~ ^[0-9]+$ ]]` */
const comparedIn = memoize(({ commands }: RunText) => {
  const comparing = commands.filter(({ words }) => words.some(({ text }) => text === '=~'));
  return new Set(comparing.flatMap(({ words }) => words.flatMap(({ text }) => variablesIn(text))));
});
