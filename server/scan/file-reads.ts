import { argumentsOf, type Command, type RunText } from './shell.ts';

/** Commands that print what files say, when nothing is piped into them. */
const readers = /^(cat|jq|yq|head|tail|grep|awk|sed|cut|unzip|tar)$/;
/** Commands that print what a service says. */
const askers = /^(curl|wget|gh)$/;

/** The names of the variables that a text of a shell uses. */
export const variablesIn = (text: string): string[] =>
  [...text.matchAll(/\$(?:env:)?\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);

/** Whether what a command puts out comes from a file, also by way of a variable that is not compared with a pattern. */
export const readsFile = (run: RunText, command: Command): boolean =>
  readsBy(run, command, (one) => isReader(run, one), new Set());

/** The same of a file or a service. */
export const readsFileOrService = (run: RunText, command: Command): boolean =>
  readsBy(run, command, (one) => isReader(run, one) || askers.test(argumentsOf(one)[0] ?? ''), new Set());

function isReader({ commands }: RunText, command: Command): boolean {
  const isFed = command.input !== null || commands.some(({ pipe }) => pipe === command);
  if (isFed) return false;
  if (command.words.length === 0) return command.redirects.some(({ operator }) => operator === '<');
  return readers.test(argumentsOf(command)[0] ?? '');
}

/** Each command is compared with every other; nobody writes longer texts by hand. */
const mostCommands = 2000;

function readsBy(run: RunText, command: Command, reads: (one: Command) => boolean, seen: Set<Command>): boolean {
  if (seen.has(command) || seen.size > 20 || run.commands.length > mostCommands) return false;
  seen.add(command);
  const within = run.commands.filter((one) => one.at >= command.at && one.end <= command.end);
  if (within.some(reads)) return true;
  const words = [...command.words, ...command.assignments].map(({ text }) => text).join(' ');
  const names = new Set(variablesIn(words).filter((name) => !isCompared(run, name)));
  const sets = ({ assignments }: Command) => assignments.some(({ text }) => names.has(text.split(/\+?=/)[0] ?? ''));
  return run.commands.some((one) => sets(one) && readsBy(run, one, reads, seen));
}

/** `[[ "$n" =~ ^[0-9]+$ ]]` */
const isCompared = ({ commands }: RunText, name: string) =>
  commands.some(
    ({ words }) =>
      words.some(({ text }) => text === '=~') && words.some(({ text }) => variablesIn(text).includes(name)),
  );
