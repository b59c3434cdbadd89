import type { Measurement } from '../../metrics/kernel/metric.ts';
import {
  affectedRepositories,
  type RepositoryAlerts,
  type RepositoryFinding,
} from '../../metrics/security/organization-security.ts';
import type { RepositoryAlert } from '../../metrics/security/security-alerts.ts';
import { matchesAlert, matchesFinding, type SecurityFilter } from '../../metrics/security/security-filter.ts';
import { formatFindingUrl } from '../security-scan/scans.ts';
import { listFindings } from './entries.ts';
import type { SecurityReading } from './reading.ts';

/** The alerts behind the headline numbers: of every repository, as far as they are known. */
export const filterAlerts = ({ repositories, now }: SecurityReading, filter: SecurityFilter): RepositoryAlert[] =>
  repositories.flatMap(({ repository, open }) =>
    (open ?? []).filter((alert) => matchesAlert(alert, filter, now)).map((alert) => ({ repository, alert })),
  );

/** The findings behind them: of the repositories of the page. */
export const filterFindings = ({ repositories }: SecurityReading, filter: SecurityFilter): RepositoryFinding[] =>
  repositories.flatMap(({ repository, read }) => {
    const matching = listFindings(read).filter(({ finding }) => matchesFinding(finding, filter));
    return matching.map(({ path, commitSha, finding }) => ({
      repository,
      path,
      finding,
      htmlUrl: formatFindingUrl(repository.htmlUrl, commitSha, { path, line: finding.line }),
    }));
  });

/** The repositories with the alerts of them that match. */
export const listRepositoryAlerts = (
  { repositories, now }: SecurityReading,
  filter: SecurityFilter,
): RepositoryAlerts[] =>
  repositories.map(({ repository, open }) => ({
    repository,
    open: open?.filter((alert) => matchesAlert(alert, filter, now)) ?? null,
  }));

export const affected = (reading: SecurityReading, filter: SecurityFilter): Measurement =>
  affectedRepositories(listRepositoryAlerts(reading, filter));
