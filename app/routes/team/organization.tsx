import type { z } from 'zod';
import { count, figures } from '../../../server/domain/quantity.ts';
import type { OrgContributorsReport } from '../../../server/reports/organization-contributors/schema.ts';
import { Moment } from '../../components/moment.tsx';
import { Empty } from '../../components/notice.tsx';
import { Panel, type PanelAnswer, Section } from '../../components/panel.tsx';
import { usePageContext } from '../page-context.ts';
import { moreReviews } from '../repo/team/missing.ts';
import { PeopleSections } from '../repo/team/sections.tsx';
import { Summary } from '../repo/team/summary.tsx';
import { TeamRepositories } from './repositories-table.tsx';

export type OrgContributors = z.output<typeof OrgContributorsReport>;

interface Props {
  of: PanelAnswer<OrgContributors>;
  org: string;
  /** This page, to try again. */
  here: string;
}

/** The people of all tracked repositories of an owner together, and which repositories those are. */
export function OrganizationSections({ of, org, here }: Props) {
  const { now, zone, base, pages } = usePageContext();
  const scope = { owner: org, repo: null };
  return (
    <>
      <Panel
        title="Pull requests and reviews"
        of={of}
        now={now}
        zone={zone}
        feature={{ label: 'Contributors and reviews', shows: 'who merges and who reviews pull requests' }}
        whenPartial={of.ok ? whatIsMissing(of.data) : null}
        retryHref={here}
        aside={of.ok && of.data.coverage.read > 0 ? <AsOf of={of.data} now={now} zone={zone} /> : null}
      >
        {(data) =>
          data.coverage.read > 0 ? (
            <>
              <Summary of={data} base={base} scope={scope} />
              <p className="source">
                Every pull request weighs the same, so the busiest repositories say most. Reviews that are spread here
                may still rest on one person in a repository: its own page tells.
              </p>
            </>
          ) : (
            <Nothing of={data} here={here} canSync={pages.includes('reports')} />
          )
        }
      </Panel>
      {of.ok ? <PeopleSections of={of.data} base={base} scope={scope} /> : null}
      {of.ok && of.data.repositories.length > 0 ? (
        <Section title="Repositories" id="repositories">
          <TeamRepositories of={of.data} org={org} base={base} now={now} zone={zone} />
        </Section>
      ) : null}
    </>
  );
}

const AsOf = ({ of, now, zone }: { of: OrgContributors; now: number; zone: string }) => (
  <span className="muted">
    as of <Moment at={Math.min(Date.parse(of.generated_at), now)} now={now} zone={zone} />, each repository’s time below
  </span>
);

interface NothingProps {
  of: OrgContributors;
  here: string;
  canSync: boolean;
}

const nounOf = (many: number) => count(many, 'repository', 'repositories');

function Nothing({ of: { org, repositories }, here, canSync }: NothingProps) {
  if (repositories.length > 0)
    return (
      <Empty
        cause={`None of ${nounOf(repositories.length)} could be read. The table below says why.`}
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
      ? `${figures(out.length)} of ${nounOf(repositories.length)} ${out.length === 1 ? 'is' : 'are'} left out, so counts are at least these and people may be missing.`
      : '',
    waiting ? 'Some wait to be read: load the page again to have more of them.' : '',
    truncated.length > 0 ? `Of ${nounOf(truncated.length)} only a part could be read.` : '',
    coverage.expected === null ? 'The list of repositories was cut short, so more may be tracked.' : '',
    moreReviews(coverage.reviews_truncated_prs),
  ]
    .filter(Boolean)
    .join(' ');
}
