import { hash } from 'node:crypto';
import type { z } from 'zod';
import { serviceVersion } from '../../domain/service-version.ts';
import type { Env } from '../../platform/env.ts';
import type { ExposureSearch } from './search-schema.ts';

type Answer = z.output<typeof ExposureSearch>;
type Use = Answer['uses'][number];

/** The attempts of an answer as a SARIF 2.1.0 log, a rule for each suspect, for tools that gather findings of many kinds. */
export function exposureSarif(answer: Answer, env: Pick<Env, 'APP_URL'>): object {
  const { suspects, uses, window, total, page, pages } = answer;
  const ruleIndexes = new Map(suspects.map(({ name }, index) => [name, index]));
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Delivery Analytics',
            semanticVersion: serviceVersion,
            informationUri: `${env.APP_URL}/docs`,
            rules: suspects.map(toRule),
          },
        },
        automationDetails: { id: 'exposure/' },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: listNotifications(answer),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: uses.map((use) => toResult(use, ruleIndexes.get(use.suspect) ?? -1)),
        properties: { window, total, page, pages },
      },
    ],
  };
}

const listNotifications = ({ coverage, uses, total, page, pages }: Answer) => [
  ...coverage.reasons.map((reason) => toNotification(reason, `Not everything could be checked: ${reason}.`)),
  ...(pages > 1
    ? [toNotification('more_pages', `This is page ${page} of ${pages}: ${uses.length} of ${total} attempts.`)]
    : []),
];

const toNotification = (id: string, text: string) => ({
  level: 'warning',
  message: { text },
  descriptor: { id },
});

const toRule = ({ name, match }: Answer['suspects'][number]) => ({
  id: name,
  shortDescription: { text: `${name} was compromised` },
  fullDescription: { text: `Compromised at ${match.map(({ type, value }) => value ?? type).join(', ')}.` },
  properties: { tags: ['security'] },
});

const kinds: Record<Use['verdict'], { kind: 'fail' | 'open' | 'pass'; level: 'error' | 'warning' | 'none' }> = {
  proven: { kind: 'fail', level: 'error' },
  possible: { kind: 'fail', level: 'warning' },
  unknown: { kind: 'open', level: 'none' },
  no: { kind: 'pass', level: 'none' },
};

const words: Record<Use['verdict'], string> = {
  proven: 'Affected',
  possible: 'Possibly affected',
  unknown: 'Not known',
  no: 'Not affected',
};

function toResult(
  { repo, suspect, run, verdict, proof, reasons, likelihood, log_state: logState }: Use,
  ruleIndex: number,
) {
  const why = proof ? proof.detail : `${reasons.join(', ')}.`;
  const key = `${repo} ${run.id} ${run.attempt} ${suspect}`;
  return {
    ruleId: suspect,
    ruleIndex,
    ...kinds[verdict],
    message: { text: `${words[verdict]}: ${why}` },
    locations: [toLocation(repo, run)],
    partialFingerprints: { 'exposure/v1': hash('sha256', key) },
    ...(run.html_url === null ? {} : { hostedViewerUri: run.html_url }),
    properties: { verdict, proof, reasons, likelihood, repository: repo, run, log_state: logState },
  };
}

/** The workflow file that ran, where it was read; of what stands in it the line is not known. */
const toLocation = (repo: string, { workflow, workflow_path: path, attempt, number }: Use['run']) => ({
  ...(path === null
    ? {}
    : { physicalLocation: { artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/') } } }),
  logicalLocations: [{ fullyQualifiedName: `${repo} / ${workflow ?? 'workflow'} #${number} attempt ${attempt}` }],
});
