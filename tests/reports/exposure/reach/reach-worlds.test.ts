import { expect, test } from 'vitest';
import { toReach } from '../../../../server/reports/exposure/reach/reach.ts';
import type { UsedRef } from '../../../../server/scan/action-uses.ts';
import { reachOfJobs } from '../../../../server/scan/job-reach.ts';
import { readWorkflow } from '../../../../server/scan/read-workflow.ts';
import { rounds } from '../../../support/rounds.ts';
import { chance } from '../verdict/worlds.ts';

type Chance = ReturnType<typeof chance>;

const names = ['ALPHA', 'BETA', 'GAMMA'];
const environments = ['site', 'production'];

/** What a job is written to have. */
interface Job {
  id: string;
  environment: string | null;
  /** Of each step the secrets that it is handed, `*` for every one, and whether it uses the suspect. */
  steps: { secrets: string[]; isSuspect: boolean }[];
  variables: string[];
  /** Which file it calls, with what it gives by which name; null for steps. */
  calls: { file: number; given: Map<string, string[]> | 'inherit' } | null;
}

interface File {
  variables: string[];
  jobs: Job[];
  isRead: boolean;
}

function makeFile(random: Chance, files: number, place: number): File {
  const some = (max: number) => Array.from({ length: random.below(max + 1) }, () => random.of(names));
  const jobs = Array.from({ length: 1 + random.below(3) }, (_, index): Job => {
    const isCall = place + 1 < files && random.is(0.5);
    const given = new Map(some(2).map((name) => [name, some(2)]));
    return {
      id: `job${index}`,
      environment: !isCall && random.is(0.3) ? random.of(environments) : null,
      variables: isCall ? [] : some(1),
      steps: Array.from({ length: 1 + random.below(3) }, () => ({
        secrets: random.is(0.1) ? ['*'] : some(2),
        isSuspect: random.is(0.4),
      })),
      calls: isCall
        ? { file: place + 1 + random.below(files - place - 1), given: random.is(0.4) ? 'inherit' : given }
        : null,
    };
  });
  return { variables: some(1), jobs, isRead: place === 0 || random.is(0.85) };
}

const expression = (secrets: readonly string[]) =>
  secrets.map((one) => (one === '*' ? `\${{ toJSON(secrets) }}` : `\${{ secrets.${one.toLowerCase()} }}`)).join(' ');

const writeCall = ({ file, given }: NonNullable<Job['calls']>): string[] => [
  `    uses: octo/flows/.github/workflows/${file}.yml@v1`,
  ...(given === 'inherit' ? ['    secrets: inherit'] : []),
  ...(given !== 'inherit' && given.size > 0
    ? ['    secrets:', ...[...given].map(([name, from]) => `      ${name}: "${expression(from)}"`)]
    : []),
];

function writeJob({ id, environment, variables, steps, calls }: Job): string[] {
  if (calls) return [`  ${id}:`, ...writeCall(calls)];
  return [
    `  ${id}:`,
    '    runs-on: ubuntu-24.04',
    ...(environment ? [`    environment: ${environment}`] : []),
    `    env: { V: "${expression(variables)}" }`,
    '    steps:',
    ...steps.flatMap(({ secrets, isSuspect }) => [
      `      - uses: ${isSuspect ? 'some/tool@v1' : 'other/tool@v1'}`,
      `        with: { token: "${expression(secrets)}" }`,
    ]),
  ];
}

const toText = ({ variables, jobs }: File): string =>
  ['on: push', `env: { W: "${expression(variables)}" }`, 'jobs:', ...jobs.flatMap(writeJob)].join('\n');

/** What a name means where a job runs: secrets of the repository, and of its environment. */
type Meaning = (name: string, environment: string | null) => string[];

interface Ran {
  name: string;
  secrets: Set<string>;
  handed: Set<string>;
  hasSuspect: boolean;
  wasRead: boolean;
}

/** Every job that runs, with the secrets that it truly has: by rules of the platform, not those of the report. */
function runAll(files: readonly File[], place: number, meaning: Meaning, prefix: string, wasRead: boolean): Ran[] {
  const file = files[place] as File;
  return file.jobs.flatMap((job): Ran[] => {
    const name = `${prefix}${job.id}`;
    if (job.calls) {
      const { file: called, given } = job.calls;
      const inner: Meaning = (asked, environment) => [
        ...(given === 'inherit' ? meaning(asked, null) : (given.get(asked) ?? []).flatMap((one) => meaning(one, null))),
        ...(environment === null ? [] : [`${environment}:${asked}`]),
      ];
      return runAll(files, called, inner, `${name} / `, wasRead && (files[called] as File).isRead);
    }
    const mean = (all: readonly string[]) =>
      all.flatMap((one) => (one === '*' ? names : [one])).flatMap((one) => meaning(one, job.environment));
    const around = [...file.variables, ...job.variables];
    const handed = job.steps.filter(({ isSuspect }) => isSuspect).flatMap(({ secrets }) => [...around, ...secrets]);
    return [
      {
        name,
        secrets: new Set(mean([...around, ...job.steps.flatMap(({ secrets }) => secrets)])),
        handed: new Set(mean(handed)),
        hasSuspect: job.steps.some(({ isSuspect }) => isSuspect),
        wasRead,
      },
    ];
  });
}

const refOf = (place: number): UsedRef => ({
  actionKey: place === 0 ? 'octo/app' : 'octo/flows',
  path: place === 0 ? '.github/workflows/ci.yml' : `.github/workflows/${place}.yml`,
  kind: 'reusable_workflow',
  ref: place === 0 ? 'head' : 'v1',
});

/** One of an environment has it before its name. */
function isSaid(said: readonly string[], one: string): boolean {
  const [name = '', environment] = one.split(':').toReversed();
  return said.includes(name) || said.includes('*') || said.includes(`environment:${environment}/*`);
}

const isSuspect = ({ actionKey }: UsedRef) => actionKey === 'some/tool';

test('no secret that a job truly had is left out where it is said what was in reach', () => {
  for (let seed = 0; seed < rounds('REACH_WORLDS', 400, 20_000); seed++) {
    const random = chance(seed);
    const count = 1 + random.below(4);
    const files = Array.from({ length: count }, (_, place) => makeFile(random, count, place));
    const uses = files.map((file, place) => ({
      ...refOf(place),
      privateSources: [],
      readAt: null,
      ...(file.isRead && {
        reach: { jobs: reachOfJobs(readWorkflow(refOf(place).path, toText(file))), privateSources: [] },
      }),
    }));
    const ran = runAll(files, 0, (name) => [name], '', true);
    for (const truth of ran) {
      const isFound = random.is(0.7);
      const logged = {
        id: 1,
        name: isFound ? truth.name : 'gone',
        startedAt: 0,
        completedAt: 1,
        log: 'complete' as const,
      };
      const said = toReach({ file: { uses }, jobs: [logged], isSuspect });
      const isAll = said.allSecrets !== false;
      const missing = [...truth.secrets].filter((one) => !isSaid(said.secrets ?? [], one));
      expect({ seed, missing: isAll ? [] : missing }).toEqual({ seed, missing: [] });
      if (said.handed !== null && truth.hasSuspect && truth.wasRead) {
        const unhanded = [...truth.handed].filter((one) => !isSaid(said.handed ?? [], one));
        expect({ seed, unhanded }).toEqual({ seed, unhanded: [] });
      }
      if (!truth.wasRead) expect({ seed, said: said.allSecrets }).not.toEqual({ seed, said: false });
    }
  }
});
