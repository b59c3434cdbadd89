import type { DoubleAdvisory } from './refs.ts';

const published = '2026-03-15T12:00:00Z';

/** A reviewed advisory as the platform's REST answers have it. */
export const publishedAdvisory = ({ id, package: name, range, patched, withdrawn }: DoubleAdvisory) => ({
  ghsa_id: id,
  cve_id: null,
  url: `https://api.codehost.example/advisories/${id}`,
  html_url: `https://codehost.example/advisories/${id}`,
  repository_advisory_url: null,
  summary: `${name} was compromised`,
  description: 'Tags were moved.',
  type: 'reviewed',
  severity: 'high',
  source_code_location: null,
  identifiers: [{ type: 'GHSA', value: id }],
  references: [],
  published_at: published,
  updated_at: published,
  github_reviewed_at: published,
  nvd_published_at: null,
  withdrawn_at: withdrawn ? '2026-03-20T12:00:00Z' : null,
  vulnerabilities: [
    {
      package: { ecosystem: 'actions', name },
      vulnerable_version_range: range,
      first_patched_version: patched,
      vulnerable_functions: [],
    },
    {
      package: { ecosystem: 'npm', name: 'left-pad' },
      vulnerable_version_range: '< 1.0.0',
      first_patched_version: null,
      vulnerable_functions: [],
    },
  ],
  cvss: null,
  cvss_severities: null,
  cwes: null,
  credits: null,
});
