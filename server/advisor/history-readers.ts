import { getAction } from '../scan/actions.ts';
import { listCommands, runsUnread } from '../scan/places.ts';
import { listArguments } from '../scan/shell.ts';
import type { Command } from '../scan/shell-commands.ts';
import type { Job, Step, Workflow } from '../scan/workflow.ts';

/** Whether a step behind this one may need more than the newest commit; what is not known may. */
export const mayReadHistory = (workflow: Workflow, { steps }: Job, checkout: Step): boolean =>
  steps.some((step) => step.number > checkout.number && readsHistory(workflow, step));

function readsHistory(workflow: Workflow, step: Step): boolean {
  if (step.uses !== null) return !worksOnFilesAlone(step);
  return runsUnread(workflow, step) || !listCommands(workflow, step).every(needsOneCommit);
}

/** Whether a step uses an action that is known to work on the files of one commit, or on none. */
export const worksOnFilesAlone = (step: Step): boolean => needingNone.test(getAction(step) ?? '');

const needingNone =
  /^(actions\/(checkout|cache(\/(restore|save))?|(download|upload)-artifact|setup-[a-z]+|upload-pages-artifact|configure-pages|attest(-build-provenance)?)|astral-sh\/setup-uv|aws-actions\/configure-aws-credentials|azure\/login|docker\/(login|setup-buildx|setup-qemu)-action|dtolnay\/rust-toolchain|google-github-actions\/(auth|setup-gcloud)|gradle\/actions\/(setup-gradle|wrapper-validation)|oven-sh\/setup-bun|pnpm\/action-setup|ruby\/setup-ruby|swatinem\/rust-cache)$/;

/** Whether a command is known to work on the files of one commit, or on none. */
function needsOneCommit(command: Command): boolean {
  const [tool, ...words] = listArguments(command);
  if (tool === undefined) return true;
  if (tool === 'git') return needsNoOtherCommit(words);
  const paths = [...words, ...command.redirects.flat().map(({ target }) => target)];
  const runsMore = /\$\(|`/.test(command.input?.text ?? '');
  return toolsForFiles.test(tool) && !runsMore && !paths.some((path) => /(^|\/)\.git(\/|$)/.test(path));
}

/** Commands that start no other, and do not look into the repository of Git. */
const toolsForFiles =
  /^(:|\[|\[\[|actionlint|apt|apt-get|basename|black|case|cat|cd|chmod|cut|date|df|dirname|du|echo|exit|export|false|for|gofmt|grep|hadolint|head|jq|ls|mkdir|mv|printf|pwd|rm|ruff|set|sha256sum|shellcheck|shfmt|sleep|sort|tail|tee|test|touch|tr|true|uname|uniq|wc|write-(host|output)|yamllint)$/;

/** Arguments of `git` that look at no other commit than the one that is checked out. */
function needsNoOtherCommit([subcommand = '', ...words]: readonly string[]): boolean {
  if (subcommand === 'diff') return words.every((word) => word.startsWith('-'));
  return /^(add|config|init|status|version|--version)$/.test(subcommand);
}
