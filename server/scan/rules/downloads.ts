import { unversionedIn } from '../installs.ts';
import { hitAt, listRunSteps } from '../places.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { getPipeline, listArguments, wordIndexAt } from '../shell.ts';
import type { Command } from '../shell-commands.ts';

const pipedDownload = rule({
  id: 'SEC-030',
  severity: 'medium',
  confidence: 'high',
  title: 'Unverified remote script',
  description:
    'Whatever the URL returns is executed with all permissions of the job. Nothing verifies that it is unchanged or ' +
    'complete.',
  fix: 'Download a fixed version to a file and verify its checksum before running it, or use a pinned action.',
  reference: 'https://docs.github.com/en/actions/reference/security/secure-use',
  *find(workflow): Iterable<Hit> {
    for (const one of listRunSteps(workflow))
      for (const command of one.run.commands)
        if (isDownload(command) && runsWhatItGets(command)) yield hitAt(workflow, one, command.at);
  },
});

const downloading = /^(curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|new-object|fetch)$/;
const running =
  /^(\S*\/)?((ba|da|k|z|fi|a|pw)?sh|python[\d.]*|node|ruby|perl|php|powershell|iex|invoke-expression|source|\.|eval)$/;

function isDownload(command: Command): boolean {
  const [name = '', ...rest] = listArguments(command);
  const isNear = rest.some((word) => /^(https?:\/\/)?(localhost|127\.0\.0\.1)\b/.test(word));
  return downloading.test(name) && !isNear && (name !== 'new-object' || /webclient/i.test(rest.join(' ')));
}

/** Its output is piped to an interpreter, or is the program of one. */
function runsWhatItGets(download: Command): boolean {
  const [, ...behind] = getPipeline(download);
  const reader = behind.find((one) => !/^(tee|gunzip|gzip|zcat|sed|tr)$/.test(listArguments(one)[0] ?? ''));
  if (reader) return isInterpreter(reader);
  for (let one = download.parent; one !== null; one = one.parent) if (isRunning(one, download)) return true;
  return false;
}

/** An interpreter that reads its program from what is piped to it. */
function isInterpreter(command: Command): boolean {
  const [name = '', ...rest] = listArguments(command);
  if (!running.test(name)) return false;
  const isShell = /sh$/.test(name);
  const program = rest.find((word) => word === '-' || !word.startsWith('-'));
  const reads =
    rest.some((word) => /^-[a-z]*s/.test(word)) || program === undefined || program === '-' || program === '/dev/stdin';
  return reads && (isShell || !rest.some((word) => /^-[a-z]*[cem]/.test(word)));
}

/** `bash <(…)`, `sh -c "$(…)"`, `eval "$(…)"`, `iex (…)`. */
function isRunning(command: Command, download: Command): boolean {
  const [name = '', first = ''] = listArguments(command);
  if (!running.test(name)) return false;
  const word = command.words[wordIndexAt(command, download.at)];
  if (word === undefined) return /^(iex|invoke-expression)$/.test(name);
  if (/^<\(/.test(word.text)) return true;
  return /^(eval|iex|invoke-expression)$/.test(name) || (/^-[a-z]*[ce]$/.test(first) && /^["']?\$\(/.test(word.text));
}

const unversionedTool = rule({
  id: 'SEC-032',
  severity: 'info',
  confidence: 'medium',
  title: 'Unpinned tool version',
  description:
    'Every run installs the latest version of the registry. A broken release, or a malicious one published from a ' +
    'stolen account, runs before anyone has noticed.',
  fix: 'Pin the version, or install from a lock file that a bot keeps up to date.',
  reference: 'https://github.com/ossf/scorecard/blob/main/docs/checks.md#pinned-dependencies',
  *find(workflow): Iterable<Hit> {
    for (const one of listRunSteps(workflow))
      for (const command of one.run.commands) {
        const names = unversionedIn(listArguments(command));
        if (names.length > 0)
          yield { ...hitAt(workflow, one, command.at), detail: `Without a version: ${names.slice(0, 5).join(', ')}.` };
      }
  },
});

export const downloadRules: readonly Rule[] = [pipedDownload, unversionedTool];
