import type { z } from 'zod';
import { count, figures } from '../../../server/domain/quantity.ts';
import type { OrgContributorsReport } from '../../../server/reports/organization-contributors/schema.ts';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { usePageContext } from '../../components/page-context.ts';
import { Panel, type PanelAnswer, Section } from '../../components/panel.tsx';
import { moreReviews } from '../repo/team/missing.ts';
import { PeopleSections } from '../repo/team/sections.tsx';
import { Summary } from '../repo/team/summary.tsx';
import { TeamRepositories } from './repositories-table.tsx';

export type OrgContributors = z.output<typeof OrgContributorsReport>;

interface Props {
  result: PanelAnswer<OrgContributors>;
  org: string;
  /** This page, to try again. */
  here: string;
}

/** The people of all tracked repositories of an owner together, and which repositories those are. */
export function OrganizationSections({ result, org, here }: Props) {
  const { now, zone, base, pages } = usePageContext();
  const scope = { owner: org, repo: null };
  return (
    <>
      <Panel
        title="Pull requests and reviews"
        result={result}
        now={now}
        zone={zone}
        feature={{ label: 'Contributors and reviews', shows: 'who merges and who reviews pull requests' }}
        whenPartial={result.ok ? whatIsMissing(result.data) : null}
        retryHref={here}
        aside={result.ok && result.data.coverage.read > 0 ? <AsOf data={result.data} now={now} zone={zone} /> : null}
      >
        {(data) =>
          data.coverage.read > 0 ? (
            <>
              <Summary data={data} base={base} scope={scope} />
              <p className="source">
                Every pull request weighs the same, so the busiest repositories say most. Reviews that are spread here
                may still rest on one person in a repository: its own page tells.
              </p>
            </>
          ) : (
            <Nothing data={data} here={here} canSync={pages.includes('reports')} />
          )
        }
      </Panel>
      {result.ok ? <PeopleSections data={result.data} base={base} scope={scope} /> : null}
      {result.ok && result.data.repositories.length > 0 ? (
        <Section title="Repositories" id="repositories">
          <TeamRepositories data={result.data} org={org} base={base} now={now} zone={zone} />
        </Section>
      ) : null}
    </>
  );
}

const AsOf = ({ data, now, zone }: { data: OrgContributors; now: number; zone: string }) => (
  <span className="muted">
    as of <Moment at={Math.min(Date.parse(data.generated_at), now)} now={now} zone={zone} />, each repository’s time
    below
  </span>
);

interface NothingProps {
  data: OrgContributors;
  here: string;
  canSync: boolean;
}

const formatCount = (many: number) => count(many, 'repository', 'repositories');

function Nothing({ data: { org, repositories }, here, canSync }: NothingProps) {
  if (repositories.length > 0)
    return (
      <Empty
        cause={`None of ${formatCount(repositories.length)} could be read. The table below says why.`}
        next={{ label: 'Try again', href: here }}
      />
    );
  const href = `/reports?${new URLSearchParams({ owner: org })}`;
  return (
    <Empty
      cause={`No repository of ${org} that you can see has been synchronized yet, so there is nothing to add up.`}
      next={canSync ? { label: `Synchronize repositories of ${org}`, href } : undefined}
    />
  );
}

/** What is missing, and in which direction the numbers err. */
function whatIsMissing({ repositories, coverage }: OrgContributors): string {
  const out = repositories.filter(({ included }) => !included);
  const truncated = repositories.filter(({ included, reason }) => included && reason !== null);
  const waiting = out.some(({ reason }) => reason === 'not_yet_read');
  return [
    out.length > 0
      ? `${figures(out.length)} of ${formatCount(repositories.length)} ${out.length === 1 ? 'is' : 'are'} left out, so counts are at least these and people may be missing.`
      : '',
    waiting ? 'Some wait to be read: load the page again to have more of them.' : '',
    truncated.length > 0 ? `Of ${formatCount(truncated.length)} only a part could be read.` : '',
    coverage.expected === null ? 'The list of repositories was cut short, so more may be tracked.' : '',
    moreReviews(coverage.reviews_truncated_prs),
  ]
    .filter(Boolean)
    .join(' ');
}
