import { expect, test } from 'vitest';
import { JobLogReader } from '../../../../server/metrics/security/job-log.ts';
import type { LedgerRow } from '../../../../server/metrics/security/ref-ledger.ts';
import type { ExecutedFile, JobEvidence, RefFacts } from '../../../../server/reports/exposure/verdict/job-evidence.ts';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import type { Suspect } from '../../../../server/reports/exposure/verdict/suspect.ts';
import { dated, download, immutablePackage, jobLines, logStart } from '../../../metrics/security/log-text.ts';
import { rounds } from '../../../support/rounds.ts';
import { chance } from './worlds.ts';

const [evil, good, newer] = ['e', 'a', 'b'].map((letter) => letter.repeat(40)) as [string, string, string];
const minute = 60_000;
const names = ['a/b', 'x/y', 'actions/checkout'];
const suspect: Suspect = {
  kind: null,
  actionKeys: ['a/b'],
  path: '',
  match: [{ type: 'sha', value: evil }],
  hasKnownId: true,
  hasCommitsOnly: true,
  window: { from: logStart - minute, to: logStart + 60 * minute },
};

type Chance = ReturnType<typeof chance>;

interface Download {
  name: string;
  commit: string;
}

/** A job whose downloads are known, with the log that it left: written by its steps too, cut, or by another clock. */
function makeLog(random: Chance) {
  const use = (): Download => ({ name: random.of(names), commit: random.of([good, good, newer, evil]) });
  const write = ({ name, commit }: Download) =>
    random.is(0.2) ? immutablePackage(`${name}@v4`, commit) : [download(`${name}@v4`, commit)];
  const some = <T>(max: number, one: () => T) => Array.from({ length: random.below(max + 1) }, one);
  const atStart = some(3, use);
  const local = random.is(0.3) ? some(2, use) : [];
  const forged = () =>
    random.of([
      ...write(use()),
      'Cleaning up orphan processes',
      "Current runner version: '2.331.0'",
      'Getting action download info',
      'Complete job name: build',
      '##[endgroup]',
      '##[group]Run ./x',
      '##[group]Run ./gradlew',
      '##[group]Run echo\u2028',
      'shell: /usr/bin/bash -e {0}',
      '##[group]Run npm ci',
      '##[group] Inputs',
      'Post job cleanup.',
      'plain',
    ]);
  const inputs = random.is(0.2) ? ['##[group] Inputs', ...some(4, forged), '##[endgroup]'] : [];
  const header = random.is(0.5) ? ['##[group]Run ./.github/actions/x', '##[endgroup]'] : [];
  const localLines = ['Prepare all required actions', 'Getting action download info', ...local.flatMap(write)];
  const forgedStep = ['##[group]Run ./x', '##[endgroup]', 'Getting action download info', ...write(use())];
  const steps = [
    ...some(4, forged),
    ...(random.is(0.2) ? forgedStep : []),
    ...(local.length > 0
      ? random.of([
          [...localLines, ...header],
          [...header, ...localLines],
        ])
      : []),
    ...some(4, forged),
  ];
  const lines = jobLines({
    before: random.is(0.1) ? inputs : [],
    downloads: [...atStart.flatMap(write), ...(random.is(0.7) ? inputs : [])],
    steps,
  });
  const apart = random.of([10, 1000]);
  const shift = random.is(0.1) ? random.of([-20, 20, 0.5]) * minute : 0;
  const whole = dated(lines, logStart + shift, apart);
  const cut = random.of([
    whole,
    whole,
    whole.slice(0, random.below(whole.length)),
    whole.slice(random.below(whole.length)),
  ]);
  return {
    text: `${random.is(0.3) ? '\uFEFF' : ''}${cut.join(random.of(['\n', '\r\n']))}`,
    completedAt: logStart + lines.length * apart,
    // A cut exactly at a line that a step wrote as the first or the last one of a log cannot be told.
    isForgedWhole: cut.length < whole.length && isEdge(cut[0], starts) && isEdge(cut.at(-1), ends),
    file: random.is(0.5) ? toFile(atStart, local.length > 0) : null,
    hasLocal: local.length > 0,
    isHit: [...atStart, ...local].some(({ commit }) => commit === evil),
  };
}

/** The file that ran: it names no commit, and no action of the step of a local one. */
const toFile = (uses: readonly Download[], hasLocal: boolean): ExecutedFile => ({
  uncertain: null,
  uses: uses.map(({ name }) => ({
    actionKey: name,
    path: '',
    kind: 'action',
    ref: 'v4',
    via: [],
    readAt: [],
    wasSkipped: false,
  })),
  unknown: hasLocal ? ['local_action_not_in_tree'] : [],
  hasUnknownNames: false,
});

const starts = "Current runner version: '2.331.0'";
const ends = 'Cleaning up orphan processes';
const isEdge = (line: string | undefined, text: string) => line?.endsWith(text) === true;

/** The ledger may have seen the tag at the compromised commit all the time. */
const atEvil: LedgerRow = {
  observedFrom: logStart - minute,
  observedTo: logStart + 60 * minute,
  state: 'present',
  commit: evil,
  tagObject: null,
  codehostId: 1,
  repository: 'a/b',
  previousCommit: null,
  moveClass: null,
  alarm: null,
  judgedAt: null,
};
const facts: RefFacts = { history: () => [], immutable: () => null, isOlder: () => false, isShown: () => true };

test('no log clears a job that downloaded what was compromised, nor accuses one that did not', () => {
  const counts = { proven: 0, possible: 0, unknown: 0, no: 0 };
  const [falseNo, falseProven]: [number[], number[]] = [[], []];
  for (let seed = 0; seed < rounds('EXPOSURE_LOGS', 5_000, 100_000); seed++) {
    const random = chance(seed);
    const { text, completedAt, file, hasLocal, isForgedWhole, isHit } = makeLog(random);
    if (isForgedWhole) continue;
    const reader = new JobLogReader({ startedAt: logStart, completedAt });
    const bytes = Buffer.from(text);
    const size = 1 + random.below(400);
    for (let start = 0; start < bytes.length; start += size) reader.push(bytes.subarray(start, start + size));
    const job: JobEvidence = {
      repository: 'octo/app',
      headSha: newer,
      startedAt: logStart,
      completedAt,
      hasBegun: true,
      log: reader.end(),
      hasUnknownNames: false,
      missingLog: 'log_cut',
      file,
      observed: [],
      called: [],
    };
    // Beside a local action the ledger decides what its step downloaded.
    const { verdict } = judgeJob(suspect, job, hasLocal ? facts : { ...facts, history: () => [atEvil] });
    counts[verdict] += 1;
    if (verdict === 'no' && isHit) falseNo.push(seed);
    if (verdict === 'proven' && !isHit) falseProven.push(seed);
  }
  expect({ falseNo, falseProven }).toEqual({ falseNo: [], falseProven: [] });
  expect(Math.min(counts.proven, counts.no, counts.unknown)).toBeGreaterThan(100);
});
