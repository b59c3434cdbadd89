import type { Panel as Answered } from '../../../server/http/adapters.ts';
import type { Deferred } from '../../../server/http/deferred-panels.ts';
import { Columns, Panel, Section } from '../../components/panel.tsx';
import { describeRange } from '../../components/period-filters.ts';
import { Coverage } from '../ci/coverage.tsx';
import { NoWorkflows } from '../ci/no-workflows.tsx';
import type { Marks } from '../marks.ts';
import { requestedName } from '../name-filter.tsx';
import type { ScopeLists } from '../scope-names.ts';
import { StoredUnproved } from '../stored-unproved.tsx';
import { SpendCards } from './spend-cards.tsx';
import { SpendDays } from './spend-days.tsx';
import { SpendTable } from './spend-table.tsx';
import { isNamed, type Spend } from './views.ts';

interface Props {
  result: Answered<Spend>;
  marks: Marks | null;
  lists: Deferred<ScopeLists>;
  search: string;
}

/** Estimated cost: figures and days first, then the table of the view. */
export function SpendView({ result, marks, lists, search }: Props) {
  const feature = { label: 'Cost', shows: 'what CI costs' };
  if (!result.ok || !result.data.totals.completed_runs)
    return (
      <>
        <Panel title="Cost" result={result} feature={feature}>
          {(data) => (
            <NoWorkflows data={data} search={search} lists={lists} isUnread={data.totals.completed_runs === null} />
          )}
        </Panel>
        <StoredUnproved result={result} />
      </>
    );
  const { data } = result;
  const isNarrowed = isNamed(data.by) && requestedName(search) !== null;
  return (
    <>
      <Coverage data={data} showsCost />
      <Columns>
        <Section title={`${describeRange(data.range)}${isNarrowed ? ', all workflows' : ''}`}>
          <SpendCards data={data} />
        </Section>
        <SpendDays data={data} marks={marks} />
      </Columns>
      <SpendTable data={data} search={search} />
    </>
  );
}
