import { afterAll, beforeAll, expect, test } from 'vitest';
import { verdictLabels } from '../../server/domain/verdict.ts';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

type Verdict = keyof typeof verdictLabels;

const org = 'lumen-harbor';
const opposite = { higher: 'lower', lower: 'higher' } as Record<Verdict, Verdict>;

async function ask(path: string) {
  return JSON.parse((await site.visit(path)).text);
}

/** The change of a card as it is drawn: whether it has a tone, and what it says. */
async function readCard(path: string, label: string) {
  const { text } = await site.visit(path);
  const [card = ''] =
    new RegExp(`<[a-z]+[^>]*aria-label="${label}".*?</p>.*?class="change".*?</div>`, 's').exec(text) ?? [];
  return { isTold: card.includes('tremor-BadgeDelta-root'), words: card.replace(/<[^>]*>/g, '') };
}

test.each(['7', '30', '90'])('Home, CI and Reports judge the same change of %s days alike', async (days) => {
  const metrics = 'success_rate,duration_p50,merged';
  const [compared, overview, ci] = await Promise.all([
    ask(`/demo/api/db/compare?owner=${org}&days=${days}&metrics=${metrics}`),
    ask(`/demo/api/db/overview?org=${org}&range=${days}`),
    ask(`/demo/api/db/workflows?org=${org}&range=${days}`),
  ]);
  const [success, median, merged] = compared.metrics.map(({ verdict }: { verdict: Verdict }) => verdict);
  const failures = opposite[success as Verdict] ?? success;
  expect(overview.figures).toMatchObject({
    failure_rate_verdict: failures,
    median_verdict: median,
    prs_merged_verdict: merged,
  });
  expect(ci.totals).toMatchObject({ failure_rate_verdict: failures, median_verdict: median });
  for (const [path, label, verdict] of [
    ['/demo', 'Failure rate', failures],
    ['/demo', 'Median run duration', median],
    ['/demo/ci', 'Failure rate', failures],
    ['/demo/ci', 'Median duration', median],
  ]) {
    const card = await readCard(`${path}?org=${org}&range=${days}`, label);
    if (verdict === 'not_enough_data' && card.words === '') continue;
    const isShown = verdict === 'higher' || verdict === 'lower';
    if (!isShown) expect(card.isTold, `${path} ${label}`).toBe(false);
    if (card.isTold) expect(isShown, `${path} ${label}`).toBe(true);
    else if (isShown) expect(card.words).toContain('±');
    else expect(card.words).toContain(verdictLabels[verdict as Verdict].toLowerCase());
  }
});
