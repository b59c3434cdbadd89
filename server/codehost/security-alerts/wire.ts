import { z } from 'zod';
import type { RepositoryName } from '../../metrics/kernel/facts.ts';
import type { AlertSeverity, SecurityAlert } from '../../metrics/security/security-alerts.ts';
import { instant, integer, maybeInstant, maybeText, shownAddress, shownText } from '../client/wire.ts';

/** An alert with what paging needs to know of it. */
export interface WireAlert {
  alert: SecurityAlert;
  updatedAt: number | null;
}

/** An alert of an organization's list. */
export type OrganizationWireAlert = WireAlert & { repository: RepositoryName };

/** The same alerts as an organization's list has them, each with its repository. */
export const inOrganization = (schema: z.ZodType<WireAlert>): z.ZodType<OrganizationWireAlert> =>
  schema
    .and(z.object({ repository: z.object({ name: z.string(), owner: z.object({ login: z.string() }) }) }))
    .transform(({ alert, updatedAt, repository: { name, owner } }) => ({
      alert,
      updatedAt,
      repository: { owner: owner.login, repo: name },
    }));

const common = { number: integer, html_url: shownAddress, created_at: instant, updated_at: maybeInstant };

const nothingKnown = {
  advisory: null,
  cvss: null,
  epss: null,
  ecosystem: null,
  fixAvailable: null,
  patchedVersion: null,
  path: null,
  publiclyLeaked: null,
  tool: null,
};

const toCommonFields = (wire: z.output<z.ZodObject<typeof common>>) => ({
  number: wire.number,
  htmlUrl: wire.html_url,
  createdAt: wire.created_at,
});

const scored = z.object({ score: z.number().nullish(), vector_string: maybeText }).nullish().catch(null);

/** An alert about a dependency. A rule that dismisses by itself counts as dismissing. */
export const dependabotAlert = z
  .object({
    ...common,
    state: z.enum(['auto_dismissed', 'dismissed', 'fixed', 'open']),
    fixed_at: maybeInstant,
    dismissed_at: maybeInstant,
    auto_dismissed_at: maybeInstant,
    dependency: z
      .object({
        package: z.object({ ecosystem: shownText, name: shownText }).nullish().catch(null),
        manifest_path: shownText,
      })
      .nullish()
      .catch(null),
    security_advisory: z.object({
      ghsa_id: shownText,
      summary: shownText,
      severity: maybeText,
      cvss: scored,
      cvss_severities: z.object({ cvss_v3: scored, cvss_v4: scored }).nullish().catch(null),
      epss: z.object({ percentage: z.number().nullish() }).nullish().catch(null),
    }),
    security_vulnerability: z.object({
      severity: maybeText,
      first_patched_version: z.object({ identifier: shownText }).nullish(),
    }),
  })
  .transform((wire): WireAlert => {
    const { security_advisory: advisory, security_vulnerability: vulnerability, dependency } = wire;
    const { cvss_v4: newest, cvss_v3: older } = advisory.cvss_severities ?? {};
    // A score without its vector is a zero that means "not scored".
    const score = [newest, older, advisory.cvss].find((one) => one?.vector_string)?.score;
    const ended = { fixed: wire.fixed_at, dismissed: wire.dismissed_at, auto_dismissed: wire.auto_dismissed_at };
    return {
      updatedAt: wire.updated_at,
      alert: {
        ...nothingKnown,
        ...toCommonFields(wire),
        source: 'dependabot',
        severity: toSeverity(vulnerability.severity ?? advisory.severity),
        state: wire.state === 'auto_dismissed' ? 'dismissed' : wire.state,
        endedAt: wire.state === 'open' ? null : ended[wire.state],
        title: advisory.summary ?? 'Advisory without a summary',
        subject: dependency?.package?.name ?? 'unknown package',
        advisory: advisory.ghsa_id,
        cvss: score ?? null,
        epss: advisory.epss?.percentage ?? null,
        ecosystem: dependency?.package?.ecosystem ?? null,
        fixAvailable: (vulnerability.first_patched_version ?? null) !== null,
        patchedVersion: vulnerability.first_patched_version?.identifier ?? null,
        path: dependency?.manifest_path ?? null,
      },
    };
  });

/** An alert about code, by the severity for security where the rule has one. */
export const codeScanningAlert = z
  .object({
    ...common,
    // Without a word it was never seen on the default branch.
    state: z.enum(['open', 'dismissed', 'fixed', 'closed']).nullish(),
    fixed_at: maybeInstant,
    dismissed_at: maybeInstant,
    rule: z.object({
      id: maybeText,
      name: maybeText,
      severity: maybeText,
      security_severity_level: maybeText,
      description: shownText,
    }),
    tool: z.object({ name: shownText }).nullish().catch(null),
    most_recent_instance: z
      .object({ location: z.object({ path: shownText }).nullish() })
      .nullish()
      .catch(null),
  })
  .transform((wire): WireAlert => {
    const { rule } = wire;
    const state = scannedState(wire);
    const name = rule.id ?? rule.name ?? 'unnamed rule';
    return {
      updatedAt: wire.updated_at,
      alert: {
        ...nothingKnown,
        ...toCommonFields(wire),
        source: 'code_scanning',
        state,
        severity: toSeverity(rule.security_severity_level ?? rule.severity),
        endedAt: state === 'open' ? null : state === 'fixed' ? wire.fixed_at : wire.dismissed_at,
        title: rule.description ?? name,
        subject: name,
        path: wire.most_recent_instance?.location?.path ?? null,
        tool: wire.tool?.name ?? null,
      },
    };
  });

/** `closed` covers both ways in which an alert ends. */
function scannedState({ state, dismissed_at }: { state?: string | null | undefined; dismissed_at: number | null }) {
  if (state === 'closed') return dismissed_at === null ? 'fixed' : 'dismissed';
  return state === 'fixed' || state === 'dismissed' ? state : 'open';
}

/** An alert about a secret: critical always. Only a revoked one is fixed; the secret itself is not read. */
export const secretScanningAlert = z
  .object({
    ...common,
    state: z.enum(['open', 'resolved']),
    resolution: maybeText,
    resolved_at: maybeInstant,
    secret_type: shownText,
    secret_type_display_name: shownText,
    publicly_leaked: z.boolean().nullish().catch(null),
    first_location_detected: z.object({ path: shownText }).nullish().catch(null),
  })
  .transform((wire): WireAlert => {
    const kind = wire.secret_type_display_name ?? wire.secret_type ?? 'secret of an unknown kind';
    const ended = wire.resolution === 'revoked' ? 'fixed' : 'dismissed';
    return {
      updatedAt: wire.updated_at,
      alert: {
        ...nothingKnown,
        ...toCommonFields(wire),
        source: 'secret_scanning',
        severity: 'critical',
        state: wire.state === 'open' ? 'open' : ended,
        endedAt: wire.state === 'open' ? null : wire.resolved_at,
        title: kind,
        subject: wire.secret_type ?? kind,
        path: wire.first_location_detected?.path ?? null,
        publiclyLeaked: wire.publicly_leaked ?? null,
      },
    };
  });

/** The platform's terms for severity, in four steps; what is not known is low. */
function toSeverity(word: string | null): AlertSeverity {
  return severities[word?.toLowerCase() ?? ''] ?? 'low';
}

const severities: Record<string, AlertSeverity> = {
  critical: 'critical',
  high: 'high',
  error: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
};
