import type { ReactNode } from 'react';
import { count, figures, quantity, refineRate } from '../../../../server/domain/quantity.ts';
import { type BotChoice, describeBots } from '../../../components/bot-choice.ts';
import { isPart, type Reading } from '../../../components/measurement.tsx';
import { MetricCard, MetricCards } from '../../../components/metric-card.tsx';
import { Empty } from '../../../components/notice.tsx';
import { SharedParamsLink } from '../../../components/shared-params.tsx';
import { findDayTrend } from '../../day-trend.ts';
import { explainHref } from '../../links.ts';
import { describeTeamChange } from './changes.ts';
import type { TeamFigures, TeamScope } from './operations.ts';

interface Props {
  data: TeamFigures;
  base: string;
  scope: TeamScope;
}

/** The numbers of the whole team, each with what it is counted from. */
export function Summary({ data, base, scope: { owner, repo, bots, compare } }: Props) {
  const place = repo === null ? { org: owner } : { owner, repo };
  const opened = (metric: string) => explainHref(base, { metric, ...place, days: data.window_days, bots });
  if (data.prs_merged_total === 0 && data.contributors.length === 0) return <Empty cause={emptyReason(data, bots)} />;
  const coverage = { read: data.coverage.read, total: data.coverage.expected, ...getNouns(data, repo) };
  const mergedByPeople = data.prs_merged_by_people;
  const change = (key: Parameters<typeof describeTeamChange>[1], better: 'higher' | 'lower' | 'neither') =>
    describeTeamChange(data, key, { better, isOff: compare === 'off' });
  const merges = findDayTrend(data.merge_days, 'Merges', ({ merged }) => merged);
  return (
    <MetricCards>
      <MetricCard
        label="Merged pull requests"
        value={{ value: data.prs_merged_total, unit: 'count', quality: isPart(coverage) ? 'floor' : undefined }}
        change={change('prs_merged_total', 'neither')}
        trend={merges && { ...merges, kind: 'bars' }}
        coverage={coverage}
        evidenceHref={opened('prs_merged_total')}
        note={mergedNote(data, opened('prs_opened_in_window'), bots)}
      />
      <MetricCard
        label="Time to merge, median"
        value={{ ...measured(data.median_hours_to_merge, mergedByPeople), unit: 'hours' }}
        change={change('median_hours_to_merge', 'lower')}
        trend={findDayTrend(data.merge_days, 'Median time to merge', (day) => day.median_hours_to_merge)}
        evidenceHref={opened('median_hours_to_merge')}
        computed="Median time from creation to merge, excluding bots."
      />
      <MetricCard
        label="Reviewed before merge"
        value={{
          ...ofSample(
            refineRate(data.reviewed_before_merge_pct, data.prs_human_reviewed, data.prs_merged_total),
            data.prs_human_reviewed === null ? null : data.prs_merged_total,
            'merged pull requests',
          ),
          unit: 'percent',
        }}
        change={change('reviewed_before_merge_pct', 'higher')}
        evidenceHref={opened('reviewed_before_merge')}
        note={unreviewedNote(data, bots)}
        computed="Share of merged pull requests reviewed by somebody other than the author before the merge. Approvals, change requests and comments count; bot reviews do not."
      />
      <MetricCard
        label="Approved at first review"
        value={{
          ...ofSample(
            refineRate(data.first_pass_approval_rate, data.prs_first_pass_approved, data.prs_human_reviewed),
            data.prs_human_reviewed,
            'reviewed pull requests',
          ),
          unit: 'percent',
        }}
        change={change('first_pass_approval_rate', 'neither')}
        evidenceHref={opened('first_pass_approval_rate')}
        note="Neither high nor low is better."
        computed="Share of reviewed pull requests whose first human review is an approval."
      />
      <MetricCard
        label="Merged by the author"
        value={{
          ...measured(
            refineRate(data.self_merged_pct, data.prs_self_merged, data.prs_merged_by_people),
            mergedByPeople,
          ),
          unit: 'percent',
        }}
        change={change('self_merged_pct', 'neither')}
        evidenceHref={opened('self_merged')}
        note="Common where authors merge after review."
        computed="Share of merged pull requests merged by their author, excluding bots."
      />
    </MetricCards>
  );
}

/** What the coverage is counted in. */
function getNouns({ window_days: days }: TeamFigures, repo: string | null): { one: string; many?: string } {
  if (repo === null) return { one: 'repository', many: 'repositories' };
  return { one: days === null ? 'closed pull request' : 'merged pull request' };
}

const measured = (value: number | null, sample: number) => ofSample(value, sample, 'merged pull requests by people');

/** What the sample is of stands with the card's definition; where there is none, it says what is not there. */
function ofSample(
  value: number | null,
  sample: number | null,
  of: string,
): Pick<Reading, 'value' | 'sample' | 'reason'> {
  return sample === 0 ? { value, sample, reason: `no ${of} in this period` } : { value, sample };
}

function mergedNote(data: TeamFigures, openedHref: string, choice: BotChoice): ReactNode {
  const { window_days: days, bot_prs, prs_opened_in_window: opened, period_days } = data;
  const bots = choice
    ? describeBots(choice)
    : bot_prs.merged > 0
      ? `${figures(bot_prs.merged)} by bots`
      : 'none by bots';
  if (days === null) return `${bots}; merged over ${count(period_days, 'day')}`;
  if (opened === null) return bots;
  return (
    <>
      {bots}; <SharedParamsLink href={openedHref}>{opened} opened</SharedParamsLink> in the same time
    </>
  );
}

function unreviewedNote(data: TeamFigures, choice: BotChoice): string {
  const { prs_no_human_review: none, bot_prs } = data;
  if (none === null) return 'Some reviews could not be loaded and are excluded.';
  if (none === 0) return 'All reviewed by a person.';
  return choice
    ? `${figures(none)} without, ${describeBots(choice)}`
    : `${figures(none)} without, ${quantity(bot_prs.no_human_review, 'count')} by bots`;
}

function emptyReason({ window_days: days, prs_opened_in_window: opened }: TeamFigures, bots: BotChoice): string {
  const none = bots ? 'No pull requests by people merged' : 'No merged pull requests';
  if (days === null) return `${none}.`;
  return `${none} in the last ${days} days${opened ? `; ${count(opened, 'pull request')} opened` : ''}.`;
}
