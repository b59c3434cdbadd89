import { useLocation } from 'react-router';
import { count, figures } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getOrgHealthScorecard } from '../../../server/reports/scorecard/operations.ts';
import { NextAction, useIsShared } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { DataCoverageLink } from '../../components/data-coverage-link.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { PastMoment } from '../../components/moment.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { PeriodBar } from '../../components/period-bar.tsx';
import { ReloadWhenSeen } from '../../components/reload-when-seen.tsx';
import { HealthFootnote, NotScored } from './health-notes.tsx';
import { bandLabels, HealthTable } from './health-table.tsx';

export type Answers = PanelsOf<{ health: typeof getOrgHealthScorecard }>;
export type Health = Extract<Answers['health'], { ok: true }>['data'];

/** Scores that are being computed for the first time: the page looks again by itself. */
export const isFilling = ({ computing, partial, computed_at }: Health) => computing && partial && computed_at === null;

/** What the scores of the page are of. */
export const HealthBar = ({ search }: { search: string }) => (
  <PeriodBar
    search={search}
    fixed={['Last 90 days', 'Default branch', 'Bots excluded']}
    window={{ range: '90', shown: '90 days', because: 'scores are of 90 days' }}
  />
);

/** The score of each repository. */
export function Scores({ result: health, nonce }: { result: Answers['health']; nonce: string }) {
  const { base } = usePageContext();
  const { pathname } = useLocation();
  const search = useSearch();
  const isShared = useIsShared();
  const here = `${pathname}${search}`;
  return (
    <>
      <Panel
        title="Repositories by score"
        id="scores"
        result={health}
        feature={{ label: 'Organization health', shows: 'a score for each active repository' }}
        whenPartial={health.ok ? whatIsMissing(health.data) : undefined}
        aside={health.ok ? <AsOf data={health.data} href={here} /> : null}
      >
        {(data) => (
          <>
            <Bands data={data} search={search} />
            {data.repos_analysed > 0 ? (
              <FilterBar search={search} filters={filters(data, new URLSearchParams(search))} />
            ) : null}
            <HealthTable data={data} search={search} base={base} />
            <HealthFootnote computedAt={data.computed_at} />
          </>
        )}
      </Panel>
      {health.ok && isFilling(health.data) && !isShared ? <ReloadWhenSeen afterMs={5000} nonce={nonce} /> : null}
    </>
  );
}

/** The repositories without a score, and why. */
export function NotScoredPanel({ result }: { result: Answers['health'] }) {
  const { base } = usePageContext();
  if (!result.ok) return null;
  return (
    <Panel title="Not scored" result={{ ok: true, data: result.data }}>
      {(data) => <NotScored data={data} base={base} />}
    </Panel>
  );
}

function AsOf({ data, href }: { data: Health; href: string }) {
  return (
    <span className="muted">
      {data.computed_at === null ? (
        `${figures(data.repos_analysed)} of ${figures(data.repos_attempted)} so far`
      ) : (
        <>
          as of <PastMoment at={data.generated_at} />
          {data.computing ? ', updating' : ''}
        </>
      )}
      <NextAction href={href}>Refresh</NextAction> <DataCoverageLink scope={{ owner: data.org, repo: null }} />
    </span>
  );
}

function whatIsMissing(data: Health): string {
  const left = data.repos_attempted - data.repos_analysed;
  const { reasons } = data.coverage;
  const parts = [
    isFilling(data)
      ? `Computing scores: ${figures(left)} of ${count(data.repos_attempted, 'repository', 'repositories')} left.${data.next_repo ? ` Next: ${data.next_repo}.` : ''}`
      : '',
    reasons.includes('rate_limited')
      ? 'Paused to save API quota. The remaining repositories follow when the rate limit resets.'
      : '',
    reasons.includes('sub_fetch_failed') ? 'Some repositories could not be loaded. See below.' : '',
    reasons.includes('forbidden') ? 'The token cannot read some repositories. See below.' : '',
    reasons.includes('upstream_truncated')
      ? `In ${count(data.repos.filter(({ partial }) => partial).length, 'repository', 'repositories')} only the latest activity counts.`
      : '',
  ].filter(Boolean);
  return parts.join(' ') || 'Not every repository has a score.';
}

function Bands({ data, search }: { data: Health; search: string }) {
  const scored = data.repos_analysed - data.bands.insufficient_data;
  const isWhole = data.repos_analysed === data.repos_attempted;
  const isLimited = data.repos_attempted < data.repos_eligible;
  const among = isLimited ? `, of the ${figures(data.repos_attempted)} pushed to last` : '';
  const count = (band: 'at_risk' | 'watch' | 'healthy') =>
    isWhole || data.bands[band] > 0
      ? ({ value: data.bands[band], unit: 'count', quality: isWhole ? 'measured' : 'floor' } as const)
      : ({ value: null, unit: 'count', reason: 'Not every repository could be read.' } as const);
  return (
    <MetricCards>
      {(['at_risk', 'watch', 'healthy'] as const).map((band) => (
        <MetricCard
          key={band}
          label={bandLabels[band].word}
          value={count(band)}
          evidenceHref={`${withChoices(search, { band })}#scores`}
          note={`${bandLabels[band].means}${among}`}
        />
      ))}
      <MetricCard
        label="Median score"
        value={{
          value: data.median_score,
          unit: 'score',
          sample: scored,
        }}
        evidenceHref={`${withChoices(search, { band: null })}#scores`}
        note={`${figures(data.repos_analysed)} of ${figures(data.repos_eligible)} active repositories${isLimited ? ', those pushed to last' : ''}`}
      />
    </MetricCards>
  );
}

function filters(data: Health, query: URLSearchParams) {
  const bands = (['at_risk', 'watch', 'healthy', 'insufficient_data'] as const).map((band) => ({
    value: band,
    label: `${bandLabels[band].word} (${figures(data.bands[band])})`,
  }));
  return [
    {
      kind: 'links' as const,
      name: 'band',
      label: 'Show',
      value: query.get('band') ?? '',
      options: [{ value: '', label: `All (${figures(data.repos_analysed)})` }, ...bands],
    },
    {
      kind: 'links' as const,
      name: 'limit',
      label: 'Latest pushed',
      value: String(data.limit),
      options: ['5', '10', '15', '20'].map((value) => ({ value, label: value })),
    },
  ];
}
