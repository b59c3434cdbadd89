import { count, figures } from '../../../server/domain/quantity.ts';
import { Link } from '../../charts/link.tsx';
import { withChoices } from '../../components/choices.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { MetricCard } from '../../components/metric-card.tsx';
import { usePageContext, useSearch } from '../../components/page-context.ts';
import { Panel } from '../../components/panel.tsx';
import { Names } from './exposure-reach.tsx';
import { toSearchFile } from './exposure-runs.tsx';
import type { Search } from './exposure-words.tsx';

type Totals = Search['totals'];
type Secret = Search['secrets'][number];

/** What stands for every secret. */
const everySecret = '*';

/** How many secrets runs had in reach that used it, or may have; nothing where none did. */
export function SecretsCard({ totals }: { totals: Totals }) {
  if (!isReached(totals)) return null;
  const { attempts_all_secrets: all, attempts_id_token: idToken, attempts_write_token: write } = totals;
  const { attempts_token_unknown: unknownToken } = totals;
  return (
    <MetricCard
      label="Secrets in reach"
      value={toNamed(totals)}
      computed={
        <>
          <p>Secrets that the jobs of these runs name.</p>
          {all > 0 ? <p>{count(all, 'attempt')} could read every secret.</p> : null}
          {idToken > 0 ? <p>{count(idToken, 'attempt')} could get cloud credentials (id-token).</p> : null}
          {write > 0 ? <p>{count(write, 'attempt')} had a GITHUB_TOKEN that can write.</p> : null}
          {unknownToken > 0 ? <p>The GITHUB_TOKEN of {count(unknownToken, 'attempt')} is not known in full.</p> : null}
          <NotKnown totals={totals} />
        </>
      }
    />
  );
}

const isReached = ({ attempts }: Totals): boolean => attempts.proven + attempts.possible > 0;

function toNamed({ secrets_named: named, attempts_all_secrets: all, attempts_secrets_unknown: unknown }: Totals) {
  const unit = 'count' as const;
  if (named !== null && (named > 0 || all === 0))
    return { value: named, unit, quality: all + unknown > 0 ? ('floor' as const) : ('measured' as const) };
  return { value: null, unit, reason: all > 0 ? 'Every secret, named or not.' : notNamed };
}

const notNamed = 'The workflow files were not read, or do not name them.';

function NotKnown({ totals: { attempts_secrets_unknown: unknown } }: { totals: Totals }) {
  if (unknown === 0) return null;
  return (
    <p>
      Not known of {count(unknown, 'attempt')}, or not in full: an environment has more than is named, or not every
      workflow file was read.
    </p>
  );
}

/** Which secrets to rotate, first those that most affected runs had in reach. */
export function ExposedSecrets({ data }: { data: Search }) {
  const { base } = usePageContext();
  const search = useSearch();
  if (!isReached(data.totals)) return null;
  const hasUnknown = data.totals.attempts_secrets_unknown > 0;
  return (
    <Panel title="Secrets to rotate" id="secrets" result={{ ok: true, data: data.secrets }}>
      {(rows) => (
        <>
          <DataTable
            caption="Secrets in reach, the most urgent first"
            captionHidden
            columns={columnsOf(search)}
            rows={rows}
            rowKey={({ name }) => name}
            noun="secrets"
            csvHref={toSearchFile({ base, search, org: data.org }, { format: 'csv', table: 'secrets' })}
            empty={{ cause: hasUnknown ? 'No secret is known to have been in reach.' : 'No secret was in reach.' }}
          />
          <div className="source">
            <NotKnown totals={data.totals} />
          </div>
        </>
      )}
    </Panel>
  );
}

/** Leads to the runs that had it in reach. What an environment has beside what files name is no name to search for. */
function SecretLink({ name, search }: { name: string; search: string }) {
  if (name.endsWith('/*')) return <code>{name}</code>;
  const href = `${withChoices(search, { secret: name, repo: null, verdict: null, page: null })}#runs`;
  return <Link href={href}>{name === everySecret ? 'Every secret' : name}</Link>;
}

const columnsOf = (search: string): Column<Secret>[] => [
  {
    key: 'name',
    label: 'Secret',
    heading: true,
    cell: ({ name, environments }) => (
      <>
        <SecretLink name={name} search={search} />
        {environments.length > 0 ? <span className="sub muted">environment {environments.join(', ')}</span> : null}
      </>
    ),
  },
  { key: 'repositories', label: 'Repositories', cell: ({ repositories }) => <Names names={repositories} /> },
  {
    key: 'attempts',
    label: 'Attempts',
    cell: ({ attempts, affected }) => (
      <>
        {figures(attempts)}
        <span className="sub muted">{figures(affected)} affected</span>
      </>
    ),
  },
  {
    key: 'handed',
    label: 'Handed to it',
    numeric: true,
    value: ({ handed }) => handed,
    explain: 'Attempts in which a step gave it to the compromised code; all others had it in the same job.',
  },
];
