import { getAction } from '../scan/actions.ts';
import { runsFiles } from '../scan/checkouts.ts';
import { readRunText } from '../scan/places.ts';
import { formatLine, listArguments } from '../scan/shell.ts';
import type { Command } from '../scan/shell-commands.ts';
import type { Job, Step, Workflow } from '../scan/workflow.ts';

/** Whether a step behind this one may need more than the newest commit; what is not known may. */
export const mayReadHistory = (workflow: Workflow, { steps }: Job, checkout: Step): boolean =>
  steps.some((step) => step.number > checkout.number && readsHistory(workflow, step));

function readsHistory(workflow: Workflow, step: Step): boolean {
  if (step.uses !== null) return !needingNone.test(getAction(step) ?? '');
  const { shell, commands } = readRunText(workflow, step);
  return (
    shell === 'other' || commands.some((one) => runsFiles(one) || readsCommits(one) || tools.test(formatLine(one)))
  );
}

/** Actions that are known to work on the files of one commit, or on none. */
const needingNone =
  /^(actions\/(checkout|cache(\/(restore|save))?|(download|upload)-artifact|setup-[a-z]+|upload-pages-artifact|configure-pages|attest(-build-provenance)?)|astral-sh\/setup-uv|aws-actions\/configure-aws-credentials|azure\/login|docker\/(login|setup-buildx|setup-qemu)-action|dtolnay\/rust-toolchain|google-github-actions\/(auth|setup-gcloud)|gradle\/actions\/(setup-gradle|wrapper-validation)|oven-sh\/setup-bun|pnpm\/action-setup|ruby\/setup-ruby|swatinem\/rust-cache)$/;

/** `git` with a subcommand that looks at other commits than the one that is checked out, or may. */
function readsCommits(command: Command): boolean {
  const [tool, ...words] = listArguments(command);
  if (tool !== 'git') return false;
  const subcommand = words.find((word) => /^[a-z]+(-[a-z]+)*$/.test(word)) ?? '';
  if (subcommand === 'diff') return words.slice(words.indexOf('diff') + 1).some((word) => !word.startsWith('-'));
  return !/^(add|config|init|status|version|)$/.test(subcommand);
}

/** Other tools that compare commits, or count them. */
const tools =
  /\b(affected|auto-changelog|changeset|changelog|codecov|commitlint|cz|danger|git-cliff|gitleaks|gitversion|goreleaser|hg|jj|lerna|minver|nbgv|nx|release-please|reviewdog|semantic-release|setuptools.scm|sonar-scanner|standard-version|towncrier|trufflehog|turbo|versioneer)\b/;
