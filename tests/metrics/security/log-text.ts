/** Writes logs of jobs as runners do: every line with its instant, in seven decimals. */
export const logStart = Date.UTC(2026, 2, 14, 12);

/** Lines from an instant on, so many milliseconds apart. */
export const dated = (lines: readonly string[], from = logStart, apart = 10): string[] =>
  lines.map((line, index) => `${new Date(from + index * apart).toISOString().replace('Z', '0000Z')} ${line}`);

export const download = (name: string, commit: string) => `Download action repository '${name}' (SHA:${commit})`;

export const immutablePackage = (name: string, commit: string) => [
  `##[group]Download immutable action package '${name}'`,
  'Version: 4.2.2',
  `Digest: sha256:${'d'.repeat(64)}`,
  `Source commit SHA: ${commit}`,
  '##[endgroup]',
];

interface JobText {
  /** Between the first question for downloads and the name of the job. */
  downloads?: readonly string[];
  /** After it: what the runner does before the first step. */
  setUp?: readonly string[];
  steps?: readonly string[];
  /** Before the downloads. */
  before?: readonly string[];
}

/** The lines of a whole job. */
export const jobLines = ({ downloads = [], setUp = [], steps = [], before = [] }: JobText): string[] => [
  "Current runner version: '2.331.0'",
  '##[group]GITHUB_TOKEN Permissions',
  'Contents: read',
  '##[endgroup]',
  'Secret source: Actions',
  ...before,
  'Prepare workflow directory',
  'Prepare all required actions',
  'Getting action download info',
  ...downloads,
  'Complete job name: build',
  ...setUp,
  '##[group]Run npm test',
  'npm test',
  '##[endgroup]',
  ...steps,
  'Post job cleanup.',
  'Cleaning up orphan processes',
];
