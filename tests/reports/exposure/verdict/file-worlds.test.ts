import { expect, test } from 'vitest';
import { toExecutedFile } from '../../../../server/reports/exposure/attempt-log.ts';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import { readExecutedFile } from '../../../../server/sync/executed-file.ts';
import { rounds } from '../../../support/rounds.ts';
import { chance, makeWorld, peel, type World } from './worlds.ts';

const path = '.github/workflows/ci.yml';
const commit = 'f'.repeat(40);
const privateId = 7;

/** Reads the workflow file of a world, some of whose actions cannot be read, and some of which are private. */
function readFile({ workflow, actions, present, job }: World, random: ReturnType<typeof chance>) {
  const lost = new Set([...actions.keys()].filter(() => random.is(0.1)));
  const hidden = new Set([...actions.keys()].filter(() => random.is(0.1)));
  const fileAt = (at: string) => {
    if (at === commit) return [{ commit: at, path, leadsTo: at, uses: workflow, privateSource: null }];
    const leadsTo = peel(at, actions.keys());
    const uses = lost.has(leadsTo) ? undefined : actions.get(leadsTo);
    const privateSource = hidden.has(leadsTo) ? privateId : null;
    return uses ? [{ commit: at, path: '', leadsTo, uses, privateSource }] : [];
  };
  const context = {
    store: { actionUses: { actionFiles: async (all: string[]) => all.flatMap(fileAt) } },
    codehost: { actionFiles: async (questions: unknown[]) => questions.map(() => 'not_found') },
    services: {},
    signal: new AbortController().signal,
    // Some are cut for lack of time.
    mayContinue: () => random.is(0.9),
  };
  const executed = {
    repository: { owner: 'octo', repo: 'app' },
    called: [],
    file: { path, commit },
    downloads: job.log?.downloads ?? [],
    commits: present,
  };
  return readExecutedFile(executed, context as never);
}

test('no workflow file clears a run that used what was compromised, nor accuses one that did not', async () => {
  const counts = { proven: 0, possible: 0, unknown: 0, no: 0 };
  const [falseNo, falseProven]: [number[], number[]] = [[], []];
  for (let seed = 0; seed < rounds('EXPOSURE_FILES', 6_000, 100_000); seed++) {
    const world = makeWorld(seed);
    const random = chance(seed + 1e6);
    const { file: read } = await readFile(world, random);
    if (read === null) throw new Error('The workflow file is there.');
    const maySee = random.is(0.5);
    const { suspect, knownNames } = world;
    const isKnownName = (name: string) =>
      knownNames.has(name) || suspect.actionKeys.includes(name) || name === 'octo/app';
    const file = toExecutedFile(read, { maySee: () => maySee, isKnownName });
    const { verdict } = judgeJob(suspect, { ...world.job, file }, world.facts);
    counts[verdict] += 1;
    if (verdict === 'no' && world.isHit) falseNo.push(seed);
    if (verdict === 'proven' && !world.isHit) falseProven.push(seed);
  }
  expect({ falseNo, falseProven }).toEqual({ falseNo: [], falseProven: [] });
  for (const [verdict, count] of Object.entries(counts)) expect(count, verdict).toBeGreaterThan(100);
});

test('what a private action uses is unknown to who does not see its repository', () => {
  const used = { actionKey: 'x/y', path: '', kind: 'action' as const, ref: 'a'.repeat(40), readAt: 'a'.repeat(40) };
  const nested = { ...used, actionKey: 'private/inner', privateSources: [privateId] };
  const read = { uses: [{ ...used, privateSources: [] }, nested], unknown: [], isCut: false };
  const shownTo = (maySee: boolean) => toExecutedFile(read, { maySee: () => maySee, isKnownName: () => true });
  expect(shownTo(true)).toMatchObject({ uses: [{ actionKey: 'x/y' }, { actionKey: 'private/inner' }], unknown: [] });
  expect(shownTo(false)).toMatchObject({ uses: [{ actionKey: 'x/y' }], unknown: ['unreadable_action'] });
  expect(JSON.stringify(shownTo(false))).not.toContain('inner');
});
