import { count, figures } from '../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import type { Search } from './exposure-words.tsx';

/** The answer in a sentence, its figures, and what it does not say. */
export function ExposureAnswer({ data }: { data: Search }) {
  const { totals, suspect, ledger_since: ledgerSince } = data;
  const { proven, possible, unknown, no } = totals.repositories;
  const all = proven + possible + unknown + no;
  return (
    <>
      <p className="prose">
        <strong>
          {`${figures(possible)} of ${count(all, 'repository', 'repositories')} possibly affected, ${proven === 0 ? '' : `${figures(proven)} affected for certain, `}${figures(unknown)} not known, ${figures(no)} not affected.`}
        </strong>{' '}
        {totals.first_use && totals.last_use ? (
          <>
            Runs that may have used it started between <Moment at={totals.first_use} as="date-time" /> and{' '}
            <Moment at={totals.last_use} as="date-time" />.
          </>
        ) : (
          'No run is known to have had it in reach.'
        )}
      </p>
      <MetricCards>
        <MetricCard
          label="Affected runs"
          value={totals.runs.proven === 0 ? notShown : { value: totals.runs.proven, unit: 'count' }}
          note="A record names it."
        />
        <MetricCard
          label="Possibly affected runs"
          value={{ value: totals.runs.possible, unit: 'count' }}
          note="It was in reach, and no record shows another commit."
        />
        <MetricCard
          label="Runs not known"
          value={{ value: totals.runs.unknown, unit: 'count' }}
          note="Nothing points to it, and nothing clears the run."
        />
        <MetricCard
          label="Runs not affected"
          value={{ value: totals.runs.no, unit: 'count' }}
          note="A record shows that they did not use it."
        />
      </MetricCards>
      <p className="prose">
        Affected means the compromised code was downloaded by the job. Answered from what is stored: logs and workflow
        files of the commits that ran were not read, so no run is cleared by them.{' '}
        {ledgerSince ? (
          <>
            Where its tags pointed is known since <Moment at={ledgerSince} as="date" />.
          </>
        ) : (
          whyNoLedger(data)
        )}
        {suspect.names.length > 1 ? ` Counted under ${suspect.names.join(', ')}.` : ''}
      </p>
    </>
  );
}

/** None is a finding only where logs are read. */
const notShown = {
  value: null,
  unit: 'count',
  reason: 'Logs are not read, so no run can be shown to be affected.',
} as const;

const whyNoLedger = ({ repositories }: Search) =>
  repositories.every(({ refs }) => refs.length === 0)
    ? 'No visible repository is known to have used a tag of it.'
    : 'Where its tags pointed is not known.';
