import type { ReactNode } from 'react';
import { figures } from '../../server/domain/quantity.ts';
import { DataCoverageLink } from '../components/data-coverage-link.tsx';
import { usePageContext } from '../components/page-context.ts';
import { exclusionLabels } from './repository-coverage.ts';
import { SyncedSummary } from './synced-summary.tsx';

interface Covered {
  repositories: readonly { repo: string; reason: keyof typeof exclusionLabels | null }[];
}

interface Props {
  data: { org: string | null; repos_included: number; repos_visible: number | null; partial: boolean };
  /** By what they are of, as `Open`. */
  covered: Readonly<Record<string, Covered>>;
  /** What the reasons mean here, where it is something else than elsewhere. */
  labels?: Partial<typeof exclusionLabels>;
  children?: ReactNode;
}

/** How much of the scope the figures rest on, in a few words; what is missing, and why, is one click away. */
export function ScopeCoverage({ data, covered, labels = {}, children }: Props) {
  const { base } = usePageContext();
  const { repos_included: included, repos_visible: visible, partial, org } = data;
  if (base !== '') return null;
  return (
    <details className="source">
      <SyncedSummary included={included} visible={visible} partial={partial} />
      {children}
      {Object.entries(covered).map(([what, { repositories }]) => (
        <Missing key={what} what={what} repositories={repositories} labels={{ ...exclusionLabels, ...labels }} />
      ))}
      <p>
        <DataCoverageLink scope={org === null ? null : { owner: org, repo: null }} />
      </p>
    </details>
  );
}

const maxNamed = 5;

interface MissingProps extends Covered {
  what: string;
  labels: typeof exclusionLabels;
}

/** Synced repositories that are missing, or of which not all is known. */
function Missing({ repositories, what, labels }: MissingProps) {
  const missing = repositories.flatMap(({ repo, reason }) =>
    reason === null || reason === 'not_synced' ? [] : [{ repo, reason }],
  );
  if (missing.length === 0) return null;
  const named = missing.slice(0, maxNamed).map(({ repo, reason }) => `${repo} (${labels[reason]})`);
  const rest = missing.length > maxNamed ? ` and ${figures(missing.length - maxNamed)} more` : '';
  return <p>{`${what}, not complete: ${named.join(', ')}${rest}`}</p>;
}
