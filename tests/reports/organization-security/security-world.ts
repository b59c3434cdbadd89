import type { Double } from '../../codehost-double/double.ts';
import { namedNow } from '../../codehost-double/named-world.ts';
import type { DoubleAlert } from '../../codehost-double/security.ts';
import { type DoubleRepository, sees } from '../../codehost-double/world.ts';

const day = 86_400_000;

/** The advisory that several repositories of the fleet have open. */
export const theAdvisory = 'GHSA-7777-8888-9999';

/** Sixteen repositories of the organization many with alerts of every source, severity and age, in place of its own. */
export function buildFleet(double: Double): void {
  double.world.repositories = double.world.repositories.filter(({ facts }) => facts.owner !== 'many');
  for (let number = 1; number <= 16; number++) {
    const repo = `fleet-${String(number).padStart(2, '0')}`;
    const name = `many/${repo}`;
    double.addRepository({ name, facts: { id: 50_000 + number, private: number % 2 === 0 } });
    for (let alert = 1; alert <= number % 5; alert++) {
      const severity = (['critical', 'high', 'medium', 'low'] as const)[(alert + number) % 4];
      const source = (['dependabot', 'code_scanning', 'secret_scanning'] as const)[alert % 3] ?? 'dependabot';
      double.putAlert(name, {
        source,
        number: alert,
        createdAt: namedNow - (alert * 31 + number) * day,
        severity,
        // Rules of code have other words, and a severity for security beside them.
        ...(source === 'code_scanning' && { severityWord: 'warning', securityLevel: severity }),
        ...(alert === 4 && { endedAt: namedNow - day }),
      });
    }
    if (number % 5 === 2)
      double.putAlert(name, {
        source: 'dependabot',
        number: 70,
        createdAt: namedNow - number * day,
        severity: 'critical',
        title: 'Anchor chain can be cut',
        subject: 'anchor-chain',
        advisory: theAdvisory,
      });
    if (number % 4 === 1) double.putWorkflowFile(name, '.github/workflows/ci.yml', risky);
  }
}

const risky = `on: pull_request_target
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: a/b@main
`;

interface Filter {
  severity?: string;
  rule?: string;
  age?: number;
}

/** What is open in the repositories of an organization, read from the world itself. */
export function recount({ world }: Double, org: string, token: string, now: number, filter: Filter = {}) {
  const holder = world.tokens.find((one) => one.token === token);
  const seen = world.repositories.filter(
    (one) => one.facts.owner === org && !one.facts.archived && holder && sees(world, holder, one),
  );
  const rows = seen.map((repository) => ({ repository, open: openIn(repository, now, filter) }));
  const open = rows.flatMap((row) => row.open);
  return {
    total: seen.length,
    counts: countSeverities(open),
    affected: rows.filter((row) => row.open.some(isSevere)).length,
    oldest:
      open.length === 0
        ? null
        : Math.max(...open.map(({ createdAt }) => Math.round((now - createdAt) / (day / 10)) / 10)),
    repositories: Object.fromEntries(rows.map((row) => [row.repository.facts.repo, countSeverities(row.open)])),
  };
}

function openIn({ security }: DoubleRepository, now: number, { severity, rule, age }: Filter): DoubleAlert[] {
  const open: DoubleAlert[] = [];
  for (const source of Object.values(security)) {
    if (source.error) continue;
    for (const alert of source.alerts) {
      if (alert.state !== 'open') continue;
      if (severity && toSeverity(alert) !== severity) continue;
      if (age && now - alert.createdAt <= age * day) continue;
      if (rule && ![alert.source, alert.advisory, `${alert.source}:${alert.subject}`].includes(rule)) continue;
      open.push(alert);
    }
  }
  return open;
}

/** A secret is critical whatever its alert says. */
const toSeverity = ({ source, severity }: DoubleAlert) => (source === 'secret_scanning' ? 'critical' : severity);
const isSevere = (alert: DoubleAlert) => ['critical', 'high'].includes(toSeverity(alert));

function countSeverities(alerts: DoubleAlert[]) {
  const counts = { critical: 0, high: 0, medium: 0, low: 0 };
  for (const alert of alerts) counts[toSeverity(alert)] += 1;
  return counts;
}

/** Takes ann's role of a security manager, so that only lists of single repositories answer. */
export function dropManagers({ world }: Double): void {
  for (const account of world.accounts) account.securityManagerOf = [];
}
