import { figures } from '../../../server/domain/quantity.ts';
import type { PanelsOf } from '../../../server/http/adapters.ts';
import type { getAuthorshipByRepository } from '../../../server/reports/ai-authorship/operations.ts';
import { IntervalDot } from '../../charts/interval-dot.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Unknown } from '../../components/measurement.tsx';
import { Empty } from '../../components/notice.tsx';
import { toEffect, whyNotComputed } from './ai-authorship-comparison.tsx';

type Answer = PanelsOf<{ byRepository: typeof getAuthorshipByRepository }>['byRepository'];
type Data = Extract<Answer, { ok: true }>['data'];
type Row = Data['repositories'][number];
type Known = Row & { effect: number };

const isKnown = (row: Row): row is Known => row.effect !== null;

function whyNone({ repositories, ...progress }: Data): string {
  const isCompared = repositories.some(({ suppressed }) => suppressed);
  return (isCompared ? null : whyNotComputed(progress)) ?? 'No repository has enough to compare of this outcome.';
}

/** The same difference in each repository that is compared. */
export function AuthorshipRepositories({ data, csvHref }: { data: Data; csvHref: string }) {
  const rows = data.repositories.filter(isKnown);
  const others = data.repositories.length - rows.length;
  if (rows.length === 0) return <Empty cause={whyNone(data)} />;
  const ends = rows.flatMap(({ interval }) => (interval === null ? [] : [interval.low, interval.high]));
  const scale = [Math.min(0, ...ends), Math.max(0, ...ends)] as const;
  const inUnit = (value: number) => toEffect(value, data.effect_unit);
  return (
    <>
      <p className="prose">
        {data.label}: marked pull requests beside those like them in the same repository. The line is zero. Of one
        repository alone nothing is claimed: among many, some are far off by chance.
      </p>
      <DataTable
        caption={`${data.label} by repository`}
        captionHidden
        columns={[
          { key: 'repo', label: 'Repository', value: ({ repo }) => repo, heading: true },
          { key: 'sets', label: 'Matched', value: ({ sets }) => sets, unit: 'count', numeric: true },
          { key: 'effect', label: 'Difference', cell: ({ effect }) => inUnit(effect), numeric: true },
          {
            key: 'dot',
            label: '95 % interval',
            cell: ({ effect, interval }) =>
              interval === null ? (
                <Unknown reason="Fewer than 10 weeks." />
              ) : (
                <IntervalDot
                  value={effect}
                  {...interval}
                  scale={scale}
                  text={`${inUnit(effect)}, ${inUnit(interval.low)} to ${inUnit(interval.high)}`}
                />
              ),
          },
        ]}
        rows={rows}
        rowKey={({ repo }) => repo}
        noun="repositories"
        csvHref={csvHref}
      />
      {others === 0 ? null : (
        <p className="source">
          {figures(others)} more not compared: too few pull requests or people, too recent, or not all known.
        </p>
      )}
    </>
  );
}
