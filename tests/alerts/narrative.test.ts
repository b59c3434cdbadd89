import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { narrative } from '../../server/alerts/narrative.ts';
import { compositeHealth } from '../../server/metrics/delivery/health-score.ts';
import type { Tier } from '../../server/metrics/kernel/tiers.ts';
import type { Row } from '../../server/reports/scorecard/row.ts';

type Given = Partial<Pick<Row, 'repo' | 'criticalModules' | 'trend' | 'partial'>> & {
  level?: Tier | null;
  authors?: number | null;
};

/** A row as the scorecard makes it. */
function aRow({ level = 'elite', authors = 3, ...more }: Given): Row {
  const { score, band, tierScore, busFactorScore } = compositeHealth(level, authors);
  return {
    owner: 'octo',
    repo: 'web',
    compositeScore: score,
    riskBand: band,
    doraLevel: level,
    deliverySource: null,
    tierScore,
    overallBusFactor: authors,
    busFactorScore,
    deliveryTiers: { deploymentFrequency: null, leadTime: null, changeFailureRate: null, timeToRestore: null },
    criticalModules: 0,
    trend: 'flat',
    reasons: [],
    partial: false,
    partialReasons: [],
    partialDetail: null,
    ...more,
  };
}

/** Lines as they read: what is not to be broken is a space. */
const plain = (lines: readonly string[]) => lines.map((line) => line.replaceAll('\u00a0', ' '));
const reported = (rows: readonly Row[]) => {
  const { summary, highlights, concerns, ...totals } = narrative(rows);
  return { summary: plain([summary])[0], highlights: plain(highlights), concerns: plain(concerns), ...totals };
};

describe('what is said of a week', () => {
  test('reports each repository at risk, then those to be watched, then what goes down and what rests on one person', () => {
    const rows = [
      aRow({ repo: 'web', level: 'elite', authors: 3, trend: 'up' }),
      aRow({ repo: 'api', level: 'low', authors: 1, criticalModules: 2, trend: 'down' }),
      aRow({ repo: 'app', level: 'high', authors: 1, criticalModules: 1 }),
      aRow({ repo: 'ops', level: 'medium', authors: 1, partial: true }),
      aRow({ repo: 'new', level: null, authors: 2, trend: 'unknown' }),
      aRow({ repo: 'lib', partial: true }),
    ];
    // 100, 25, 55, 40, 100: 64 on average.
    expect(reported(rows)).toEqual({
      summary: '2 of 5 scored repositories are at risk, 1 on watch. The mean score is 64 of 100.',
      highlights: ['Merging more than before: web.', 'Healthy: web, lib (partial data).'],
      concerns: [
        'api is at risk: score 25, delivery low, bus factor 1, 2 critical modules.',
        'ops is at risk: score 40, delivery medium, bus factor 1, no critical module, partial data.',
        'app is on watch: score 55, delivery high, bus factor 1, 1 critical module.',
        'Merging less than before: api.',
        'Single-owner modules: api (2), app (1).',
      ],
      scored: 5,
      needAttention: 3,
    });
  });

  test('names those to be watched where none is at risk, and is glad only where all are healthy', () => {
    const [fine, watched] = [aRow({ repo: 'web' }), aRow({ repo: 'api', level: 'medium', authors: 2 })];
    expect(reported([fine, watched]).summary).toBe(
      'None of 2 scored repositories is at risk, 1 on watch. The mean score is 77 of 100.',
    );
    expect(reported([fine, { ...fine, repo: 'app' }])).toMatchObject({
      summary: 'All 2 scored repositories are healthy. The mean score is 100 of 100.',
      concerns: [],
      needAttention: 0,
    });
    expect(reported([fine]).summary).toBe('The only scored repository is healthy. The mean score is 100 of 100.');
  });

  test('of repositories without a score is that there is none', () => {
    const nothing = { summary: 'No repository could be scored.', highlights: [], concerns: [] };
    for (const rows of [[], [aRow({ level: null }), aRow({ authors: null, trend: 'up', criticalModules: 3 })]])
      expect(reported(rows)).toEqual({ ...nothing, scored: 0, needAttention: 0 });
  });

  test('names five of a list and counts the rest', () => {
    const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((repo) => aRow({ repo, trend: 'down', criticalModules: 1 }));
    expect(reported(rows)).toMatchObject({
      highlights: ['Healthy: g, f, e, d, c and 2 more.'],
      concerns: [
        'Merging less than before: a, b, c, d, e and 2 more.',
        'Single-owner modules: a (1), b (1), c (1), d (1), e (1) and 2 more.',
      ],
    });
  });

  test('fits into eight lines about single repositories, of which the last counts the others', () => {
    const atRisk = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((repo) => aRow({ repo, level: 'low', authors: 1 }));
    const watched = ['v', 'w'].map((repo) => aRow({ repo, level: 'medium', authors: 2 }));
    const { concerns } = reported([...watched, ...atRisk]);
    expect(concerns).toHaveLength(8);
    expect(concerns[7]).toBe('1 more at risk: h. 2 more on watch: v, w.');
    expect(reported(atRisk).concerns[7]).toMatch(/^h is at risk/);
  });
});

const rows = fc
  .array(
    fc.record({
      level: fc.constantFrom('elite', 'high', 'medium', 'low', null),
      authors: fc.constantFrom(1, 2, 3, 4, null),
      critical_modules: fc.integer({ min: 0, max: 3 }),
      trend: fc.constantFrom('up', 'down', 'flat', 'unknown'),
      partial: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((all) => all.map((given, index) => aRow({ ...(given as Given), repo: `r${index}-` })));

/** Whom the lines of a kind name, and how many others they count. */
const reached = (lines: readonly string[], kind: RegExp) => {
  const text = lines.join('\n').match(kind) ?? [];
  const names = new Set(text.join(' ').match(/r\d+-/g));
  const others = [...text.join(' ').matchAll(/and (\d+) more/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return names.size + others;
};

test('of any week is true: nobody is excluded, and nothing unknown is well', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const { summary, highlights, concerns, scored, needAttention } = reported(given);
      const of = (matches: (row: Row) => boolean) => given.filter(matches).length;
      const [atRisk, watch] = [of((row) => row.riskBand === 'at_risk'), of((row) => row.riskBand === 'watch')];
      expect(scored).toBe(of((row) => row.compositeScore !== null));
      expect(needAttention).toBe(atRisk + watch);
      if (scored === 0) expect([summary, highlights, concerns]).toEqual(['No repository could be scored.', [], []]);
      expect(/healthy/.test(summary ?? '')).toBe(scored > 0 && needAttention === 0);
      if (scored === 0) return;
      expect(concerns.length).toBeLessThanOrEqual(10);
      expect(reached(concerns, /(r\d+- is at risk|more at risk: [^.]*)/g)).toBe(atRisk);
      expect(reached(concerns, /(r\d+- is on watch|more on watch: [^.]*)/g)).toBe(watch);
      expect(reached(concerns, /Merging less[^.]*/g)).toBe(of((row) => row.trend === 'down'));
      expect(reached(concerns, /Single-owner modules[^.]*/g)).toBe(of((row) => (row.criticalModules ?? 0) > 0));
      expect(reached(highlights, /Merging more[^.]*/g)).toBe(of((row) => row.trend === 'up'));
      expect(reached(highlights, /Healthy[^.]*/g)).toBe(of((row) => row.riskBand === 'healthy'));
    }),
    { numRuns: 300 },
  );
});
