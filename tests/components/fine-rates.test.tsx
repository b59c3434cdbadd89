// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Environment } from '../../app/routes/repo/deployments.tsx';
import { EnvironmentTable } from '../../app/routes/repo/deployments-tables.tsx';
import { Summary } from '../../app/routes/repo/team/summary.tsx';

const getText = (element: HTMLElement) => element.textContent?.replaceAll('\u00a0', ' ') ?? '';

describe('rates that are answered whole', () => {
  test('of 200 deployments or more have a decimal on the page', () => {
    const row = (environment: string, success: number, failed: number) =>
      ({ environment, success, failed, failure_rate_pct: 33, total: success + failed }) as Environment;
    const rows = { by_environment: [row('production', 133, 67), row('staging', 132, 67)] };
    render(<EnvironmentTable data={rows as never} search="" now={0} zone="UTC" />);
    const [, production, staging] = screen.getAllByRole('row');
    expect(getText(production as HTMLElement)).toContain('33.5 %');
    expect(getText(staging as HTMLElement)).toContain('33 %');
  });

  test('of 200 pull requests or more have one too', () => {
    const data = {
      prs_merged_total: 1000,
      prs_human_reviewed: 437,
      reviewed_before_merge_pct: 44,
      prs_no_human_review: 563,
      prs_merged_by_people: 150,
      prs_self_merged: 50,
      self_merged_pct: 33,
      first_pass_approval_rate: null,
      window_days: 90,
      contributors: [],
      bot_prs: { merged: 850, no_human_review: 1 },
      coverage: { read: 1000, expected: 1000 },
    };
    render(<Summary data={data as never} base="" scope={{ owner: 'octo', repo: 'web' } as never} />);
    expect(getText(screen.getByRole('article', { name: 'Reviewed before merge' }))).toContain('43.7 %');
    expect(getText(screen.getByRole('article', { name: 'Merged by the author' }))).toContain('33 %');
  });
});
