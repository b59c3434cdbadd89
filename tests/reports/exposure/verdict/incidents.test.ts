import { describe, expect, test } from 'vitest';
import { JobLogReader } from '../../../../server/metrics/security/job-log.ts';
import { findAlarm, isAlarming, type LedgerRow, recordTarget } from '../../../../server/metrics/security/ref-ledger.ts';
import type { JobEvidence, ReachedUse, RefFacts } from '../../../../server/reports/exposure/verdict/job-evidence.ts';
import { judgeJob } from '../../../../server/reports/exposure/verdict/judge-job.ts';
import type { Suspect } from '../../../../server/reports/exposure/verdict/suspect.ts';
import { findWorst } from '../../../../server/reports/exposure/verdict/verdict.ts';
import { isFullVersion } from '../../../../server/scan/action-versions.ts';
import { dated, download, jobLines } from '../../../metrics/security/log-text.ts';

/** Public incidents, replayed: names, times and counts are theirs, the users of the actions are invented. */
const minute = 60_000;
const hour = 60 * minute;
const [good, other] = ['a'.repeat(40), 'c'.repeat(40)] as [string, string];

const suspectOf = (actionKey: string, commits: string[], window: [string, string]): Suspect => ({
  kind: null,
  actionKeys: [actionKey],
  path: '',
  match: commits.map((value) => ({ type: 'sha', value })),
  hasKnownId: true,
  hasCommitsOnly: true,
  window: { from: Date.parse(window[0]), to: Date.parse(window[1]) },
});

/** What is used by its name and ref, through others or by the workflow file itself. */
function use(name: string, via: ReachedUse[] = [], readAt: string[] = [good]): ReachedUse {
  const [actionKey = '', ref = ''] = name.split('@');
  return { actionKey, path: '', kind: 'action', ref, via, readAt, wasSkipped: false };
}

interface Used {
  at: number;
  uses: ReachedUse[];
  /** The lines that the runner wrote of its downloads; null where the log has expired. */
  log: [name: string, commit: string][] | null;
}

/** A job of five minutes that ran then. */
function jobOf({ at, uses, log }: Used): JobEvidence {
  const times = { startedAt: at, completedAt: at + 5 * minute };
  const reader = new JobLogReader(times);
  const lines = jobLines({ downloads: (log ?? []).map(([name, commit]) => download(name, commit)) });
  reader.push(Buffer.from(dated(lines, at, (5 * minute) / lines.length).join('\n')));
  return {
    ...times,
    repository: 'octo/app',
    headSha: other,
    hasBegun: null,
    log: log && reader.end(),
    hasUnknownNames: false,
    missingLog: 'log_expired',
    file: { uncertain: null, uses, unknown: [], hasUnknownNames: false },
    observed: null,
    called: [],
  };
}

/** The nightly observations of a ref, as the ledger writes and judges them. */
function observe(ref: string, commits: [day: string, commit: string][]): LedgerRow[] {
  const rows: LedgerRow[] = [];
  for (const [day, commit] of commits) {
    const target = { state: 'present' as const, commit, tagObject: null, codehostId: 1, repository: 'x/y' };
    const found = recordTarget(rows, target, Date.parse(`${day}T05:17:00Z`));
    if (!found) continue;
    const row = { ...found, moveClass: found.previousCommit === null ? null : (found.moveClass ?? 'rewritten') };
    const facts = { wasImmutable: false, isFullVersionTag: isFullVersion(ref), isOnBranch: false };
    const judged = { ...row, alarm: row.previousCommit === null ? null : findAlarm(row, rows, facts) };
    if (rows.at(-1)?.observedFrom === judged.observedFrom) rows.pop();
    rows.push(judged);
  }
  return rows;
}

const factsOf = (histories: Record<string, LedgerRow[]>, immutable: Record<string, number> = {}): RefFacts => ({
  history: ({ actionKey, ref }) => histories[`${actionKey}@${ref}`] ?? [],
  immutable: ({ actionKey, ref }) => {
    const seenAt = immutable[`${actionKey}@${ref}`];
    return seenAt === undefined ? null : { commit: good, seenAt };
  },
  isOlder: () => false,
  isShown: () => true,
});

describe('changed-files, 14 and 15 March 2025: nearly all tags led to one commit, through two levels', () => {
  const bad = '0e58ed8671d6b60d0890c21b07f8835ace038e67';
  const files = 'tj-actions/changed-files';
  const suspect = suspectOf(files, [bad], ['2025-03-14T16:00:00Z', '2025-03-15T22:00:00Z']);
  const during = Date.parse('2025-03-14T20:00:00Z');
  const nights: [string, string][] = [
    ['2025-03-13', good],
    ['2025-03-14', good],
    ['2025-03-15', bad],
    ['2025-03-16', good],
  ];
  const facts = factsOf({ [`${files}@v45`]: observe('v45', nights) });
  const lint = use('octo-tools/lint-changes@v2');
  const eslint = use('tj-actions/eslint-changed-files@v25', [lint]);
  const nested = [lint, eslint, use(`${files}@v45`, [lint, eslint])];
  const above: [string, string][] = [
    ['octo-tools/lint-changes@v2', good],
    ['tj-actions/eslint-changed-files@v25', other],
  ];
  const judge = (used: Partial<Used>) => judgeJob(suspect, jobOf({ at: during, uses: [], log: null, ...used }), facts);

  test('who used it, and who used what uses it in turn, is affected by the log alone', () => {
    const direct = judge({ uses: [use(`${files}@v35`)], log: [[`${files}@v35`, bad]] });
    expect(direct).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
    const throughTwo = judge({ uses: nested, log: [...above, [`${files}@v45`, bad]] });
    expect(throughTwo).toMatchObject({ verdict: 'proven', proof: { kind: 'log_line' } });
  });

  test('where logs were deleted, it stays possible through both levels, and likely by the observations around', () => {
    expect(judge({ uses: nested })).toMatchObject({
      verdict: 'possible',
      reasons: expect.arrayContaining(['between_observations', 'log_expired']),
      likelihood: 'likely',
    });
    const outer = use(`octo-tools/lint-changes@${good}`);
    const pinnedOuter = judge({ uses: [outer, use(`${files}@v45`, [outer])] });
    expect(pinnedOuter.verdict).toBe('possible');
  });

  test('who pinned a commit of before is not, nor who ran before, also where the same run was started again', () => {
    const pinned = `${files}@${good}`;
    expect(judge({ uses: [use(pinned)] })).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
    expect(judge({ uses: [use(pinned)], log: [[pinned, good]] })).toMatchObject({ verdict: 'no' });
    const before = judge({ at: during - 20 * hour, uses: nested, log: [...above, [`${files}@v45`, good]] });
    expect(before).toMatchObject({ verdict: 'no', proof: { kind: 'N6' } });
    const again = judge({ uses: nested, log: [...above, [`${files}@v45`, bad]] });
    expect(findWorst([before, again])).toBe(again);
  });

  test('the move alarms in the night after it', () => {
    const moves = observe('v45', nights).filter((row) => isAlarming(row));
    expect(moves.map(({ observedFrom, alarm }) => [new Date(observedFrom).toISOString(), alarm])).toEqual([
      ['2025-03-15T05:17:00.000Z', 'rewritten'],
    ]);
  });
});

describe('a scanner, 19 March 2026: 76 of 77 version tags moved, each to a commit of its own', () => {
  const scanner = 'aquasecurity/trivy-action';
  const tags = Array.from({ length: 77 }, (_, index) => `0.${index % 35}.${Math.floor(index / 35)}`);
  const [spared = '', ...moved] = tags.toReversed();
  const badOf = (tag: string) => `bad${tags.indexOf(tag)}`.padEnd(40, '0').replace(/[^0-9a-f]/g, 'e');
  const suspect = suspectOf(scanner, moved.map(badOf), ['2026-03-19T17:00:00Z', '2026-03-20T06:00:00Z']);
  const during = Date.parse('2026-03-19T21:00:00Z');
  const histories = Object.fromEntries(
    tags.map((tag) => {
      const after = tag === spared ? good : badOf(tag);
      const rows = observe(tag, [
        ['2026-03-18', good],
        ['2026-03-19', good],
        ['2026-03-20', after],
      ]);
      return [`${scanner}@${tag}`, rows] as const;
    }),
  );
  const seenBefore = { [`${scanner}@${spared}`]: Date.parse('2026-03-01T05:17:00Z') };
  const judge = (name: string, log: Used['log'], immutable: Record<string, number> = seenBefore) =>
    judgeJob(suspect, jobOf({ at: during, uses: [use(name)], log }), factsOf(histories, immutable));

  test('the next night 76 tags alarm, as tags of full versions', () => {
    const alarms = Object.values(histories).flatMap((rows) => rows.filter((row) => isAlarming(row)));
    expect(new Set(tags).size).toBe(77);
    expect(alarms.map(({ alarm }) => alarm)).toEqual(Array.from({ length: 76 }, () => 'full_version'));
  });

  test('every user of a moved tag is affected by the log, and possibly without it', () => {
    for (const tag of moved) {
      const name = `${scanner}@${tag}`;
      expect(judge(name, [[name, badOf(tag)]]).verdict).toBe('proven');
      expect(judge(name, null)).toMatchObject({ verdict: 'possible', likelihood: 'likely' });
      // Pulled before the tag moved, whatever the observations say.
      expect(judge(name, [[name, good]]).verdict).toBe('no');
    }
  });

  test('the one who pinned a commit is spared, and the one of the immutable release; its tag alone clears nothing', () => {
    expect(judge(`${scanner}@${good}`, null)).toMatchObject({ verdict: 'no', proof: { kind: 'N4' } });
    expect(judge(`${scanner}@${spared}`, null)).toMatchObject({ verdict: 'no', proof: { kind: 'N5' } });
    expect(judge(`${scanner}@${spared}`, null, {})).toMatchObject({ verdict: 'possible', likelihood: 'unlikely' });
  });
});
