import { count, figures } from '../../../server/domain/quantity.ts';
import { MetricCard, MetricCards } from '../../components/metric-card.tsx';
import { Moment } from '../../components/moment.tsx';
import { SecretsCard } from './exposure-secrets.tsx';
import type { Search } from './exposure-words.tsx';

/** The answer in a sentence, its figures, and what it does not say. */
export function ExposureAnswer({ data }: { data: Search }) {
  const { totals, suspects, ledger_since: ledgerSince } = data;
  const { proven, possible, unknown, no } = totals.repositories;
  const all = proven + possible + unknown + no;
  return (
    <>
      <p className="prose">
        {all === 0 ? null : (
          <strong>
            {proven === 0 ? '' : `${figures(proven)} of ${count(all, 'repository', 'repositories')} affected, `}
            {proven === 0 ? `${figures(possible)} of ${count(all, 'repository', 'repositories')}` : figures(possible)}
            {` possibly affected, ${figures(unknown)} not known, ${figures(no)} not affected.`}
          </strong>
        )}{' '}
        {totals.first_use && totals.last_use ? (
          <>
            Runs that may have used it started between <Moment at={totals.first_use} as="date-time" /> and{' '}
            <Moment at={totals.last_use} as="date-time" />.
          </>
        ) : (
          (whyNothing(data) ?? 'No run is known to have had it in reach.')
        )}
      </p>
      <MetricCards>
        <MetricCard
          label="Affected runs"
          value={toAffected(data)}
          computed={
            <>
              {totals.runs.proven > 0 ? (
                <p>The log or the record of the run names a commit that was compromised.</p>
              ) : null}
              {isLogUnread(data) ? <p>Only logs can show that, and some were not read, or not to their end.</p> : null}
            </>
          }
        />
        <MetricCard
          label="Possibly affected runs"
          value={toCounted(data, 'possible')}
          computed="They could use it, and nothing shows that they used another version."
        />
        <MetricCard
          label="Runs not known"
          value={toCounted(data, 'unknown')}
          computed="No sign that they used it, and no proof that they did not."
        />
        <MetricCard
          label="Runs not affected"
          value={toCounted(data, 'no')}
          computed="There is proof that they did not use it."
        />
        <SecretsCard totals={totals} />
      </MetricCards>
      <p className="prose">
        Affected means the compromised code was downloaded by the job. {logsText(data)}{' '}
        {ledgerSince ? (
          <>
            Where its tags pointed is known since <Moment at={ledgerSince} as="date" />.
          </>
        ) : (
          whyNoLedger(data)
        )}
        {suspects
          .filter(({ names }) => names.length > 1)
          .map(({ name, names }) => ` ${name} is counted under ${names.join(', ')}.`)
          .join('')}
      </p>
    </>
  );
}

/** Why there is nothing to count, though runs may be missing; null where there is, or none ran. */
function whyNothing({ totals: { runs, repositories } }: Search): string | null {
  if (runs.proven + runs.possible + runs.unknown + runs.no > 0) return null;
  if (repositories.unknown > 0) return 'No runs of this time are stored.';
  return repositories.no === 0 ? 'You see no repository there.' : null;
}

function toCounted(data: Search, verdict: 'possible' | 'unknown' | 'no') {
  const reason = whyNothing(data);
  return reason === null
    ? { value: data.totals.runs[verdict], unit: 'count' as const }
    : { value: null, unit: 'count' as const, reason };
}

/** None is a finding only where every repository is cleared. */
function toAffected({ totals: { runs, repositories }, coverage, partial }: Search) {
  const isOpen = partial || repositories.no === 0 || repositories.possible + repositories.unknown > 0;
  if (runs.proven > 0 || !isOpen) return { value: runs.proven, unit: 'count' } as const;
  const reason = isLogUnread({ coverage }) ? 'Some logs were not read.' : 'Some runs could not be checked.';
  return { value: null, unit: 'count', reason } as const;
}

const isLogUnread = ({ coverage }: Pick<Search, 'coverage'>): boolean => coverage.reasons.includes('logs_unread');

const logsText = ({ logs }: Search): string =>
  logs.read === 0 ? 'No logs of these runs were read.' : `Logs of ${count(logs.read, 'attempt')} were read.`;

const whyNoLedger = ({ repositories }: Search) =>
  repositories.every(({ refs }) => refs.length === 0)
    ? 'No visible repository is known to have used a tag of it.'
    : 'Where its tags pointed is not known.';
