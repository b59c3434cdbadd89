import { useLocation } from 'react-router';
import type { z } from 'zod';
import { count, figures } from '../../../server/domain/quantity.ts';
import type { Deferred } from '../../../server/http/deferred-panels.ts';
import type { OrgContributorsReport } from '../../../server/reports/organization-contributors/schema.ts';
import { requestedBots } from '../../components/bot-choice.ts';
import { reportsHref } from '../../components/data-coverage-link.tsx';
import { PastMoment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { useCanSync, usePageContext } from '../../components/page-context.ts';
import { Panel, type PanelAnswer, Section } from '../../components/panel.tsx';
import { NothingSynced } from '../nothing-synced.tsx';
import { moreReviews } from '../repo/team/missing.ts';
import type { TeamFigures } from '../repo/team/operations.ts';
import { PeopleSections } from '../repo/team/sections.tsx';
import { Summary } from '../repo/team/summary.tsx';
import type { TeamView } from '../repo/team/views.ts';
import type { ScopeLists } from '../scope-names.ts';
import { listSynced, TeamRepositories } from './repositories-table.tsx';

export type OrgContributors = z.output<typeof OrgContributorsReport>;

interface Props {
  result: PanelAnswer<OrgContributors>;
  lists: Deferred<ScopeLists>;
  view: TeamView;
  org: string;
  /** This page, to try again. */
  here: string;
}

/** Figures of at least one repository. */
type Known = OrgContributors & TeamFigures;

const isKnown = (data: OrgContributors): data is Known => data.coverage.read > 0;

/** The people of all tracked repositories of an owner together, and which repositories those are. */
export function OrganizationSections({ result, lists, view, org, here }: Props) {
  const { base } = usePageContext();
  const canSync = useCanSync();
  const { search } = useLocation();
  const compare = new URLSearchParams(search).get('compare');
  const scope = { owner: org, repo: null, bots: requestedBots(search), compare };
  return (
    <>
      <Panel
        title="Pull requests and reviews"
        result={result}
        feature={{ label: 'Contributors and reviews', shows: 'merges and reviews of pull requests' }}
        whenPartial={result.ok ? whatIsMissing(result.data) : null}
        aside={result.ok && isKnown(result.data) ? <AsOf data={result.data} /> : null}
      >
        {(data) =>
          isKnown(data) ? (
            <Summary data={data} base={base} scope={scope} />
          ) : (
            <Nothing data={data} lists={lists} here={here} canSync={canSync} />
          )
        }
      </Panel>
      {result.ok && isKnown(result.data) && view !== 'repositories' ? (
        <PeopleSections data={result.data} view={view} base={base} scope={scope} />
      ) : null}
      {result.ok && (view === 'repositories' || hasExcluded(result.data)) ? (
        <Section title="Repositories" id="repositories">
          <TeamRepositories data={result.data} org={org} base={base} />
        </Section>
      ) : null}
    </>
  );
}

/** Whether a synced repository is not counted, or not completely. */
const hasExcluded = (data: OrgContributors) => listSynced(data).some(({ reason }) => reason !== null);

const AsOf = ({ data }: { data: OrgContributors }) => (
  <span className="muted">
    as of <PastMoment at={data.generated_at} />
  </span>
);

interface NothingProps {
  data: OrgContributors;
  lists: Deferred<ScopeLists>;
  here: string;
  canSync: boolean;
}

const formatCount = (many: number) => count(many, 'repository', 'repositories');

function Nothing({ data, lists, here, canSync }: NothingProps) {
  const { org } = data;
  const synced = listSynced(data).length;
  if (synced > 0)
    return (
      <Empty
        cause={`None of ${count(synced, 'synced repository', 'synced repositories')} could be loaded. See the reasons below.`}
        next={{ label: 'Try again', href: here }}
      />
    );
  const href = `${reportsHref({ owner: org, repo: null })}#sync`;
  return (
    <NothingSynced
      org={org}
      repo={null}
      lists={lists}
      next={canSync ? { label: `Sync repositories of ${org}`, href } : undefined}
    />
  );
}

/** What is missing of what is synced, and in which direction the numbers err; null for nothing. */
function whatIsMissing(data: OrgContributors): string | null {
  const { coverage } = data;
  const synced = listSynced(data);
  const out = synced.filter(({ included }) => !included);
  const truncated = synced.filter(({ included, reason }) => included && reason !== null);
  const waiting = out.some(({ reason }) => reason === 'not_yet_read');
  const parts = [
    out.length > 0
      ? `${figures(out.length)} of ${count(synced.length, 'synced repository', 'synced repositories')} ${out.length === 1 ? 'is' : 'are'} excluded: counts are minimums, and people may be missing.`
      : '',
    waiting ? 'Some are still loading. Reload the page for more.' : '',
    truncated.length > 0 ? `${formatCount(truncated.length)} only partially loaded.` : '',
    coverage.expected === null ? 'The list of repositories is incomplete.' : '',
    moreReviews(coverage.reviews_truncated_prs),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : null;
}
