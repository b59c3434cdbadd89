import { type Event, parseEvents, YAMLException } from 'js-yaml';

/** Something that keeps a file, or a part of it, from being read as it is. */
export interface YamlProblem {
  offset: number;
  message: string;
}

export interface YamlEvents {
  /** null when the file cannot be parsed. */
  events: readonly Event[] | null;
  /** What the events refer to: the file, or the same with closing brackets on the line before; places are the same. */
  text: string;
  problem: YamlProblem | null;
}

/** Parses a YAML file into events. Never throws. */
export function readEvents(file: string): YamlEvents {
  let [parsed, lifted]: [YamlEvents, string | null] = [parse(file), file];
  const maxLifts = Math.min(50, maxCharactersAgain / (file.length + 1));
  for (let lifts = 0; lifts < maxLifts && lifted !== null && parsed.problem !== null; lifts++) {
    lifted = withBracketUp(lifted, parsed.problem);
    if (lifted !== null) parsed = parse(lifted);
  }
  return parsed;
}

/** What is read again and again comes to no more than this. */
const maxCharactersAgain = 1_000_000;

function parse(text: string): YamlEvents {
  try {
    return { events: parseEvents(text, { maxDepth: 50 }), text, problem: null };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const offset = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0;
    const message = error instanceof YAMLException ? error.reason : 'nested too deeply';
    return { events: null, text, problem: { offset: Math.min(offset, text.length), message } };
  }
}

/** Of a line that does not begin within quotes; with one that does, the brackets no longer match. */
const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

/**
 * The platform reads a closing bracket that is indented no further than its key, which the parser does not. This puts
 * it on the line before without moving anything else; null where something else is wrong.
 */
function withBracketUp(text: string, problem: YamlProblem): string | null {
  if (problem.message !== 'deficient indentation' || !/[\]}]/.test(text.charAt(problem.offset))) return null;
  const end = text.lastIndexOf('\n', problem.offset);
  const start = text.lastIndexOf('\n', end - 1) + 1;
  const line = text.slice(start, Math.max(start, end)).trimEnd();
  const comment = line.replace(quoted, (part) => 'x'.repeat(part.length)).search(/(^|[ \t])#/);
  if (end < 0 || (comment >= 0 && /['"]/.test(line))) return null;
  const content = comment < 0 ? line : line.slice(0, comment);
  return text.slice(0, start) + content.padEnd(end + 1 - start) + text.slice(end + 1);
}
