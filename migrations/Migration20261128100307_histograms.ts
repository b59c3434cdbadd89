import { Migration } from '@mikro-orm/migrations';

/** Keeps a histogram of durations as one number instead of two arrays. */
export const histogramsAsNumbers = [
  ...['repo_day', 'org_day'].flatMap((table) => [
    `alter table "${table}" add "steps" numeric`,
    `update "${table}" set "steps" = (
       select coalesce(sum((n || 'e' || 8 * b)::numeric), 0) from unnest("hist_b", "hist_n") one (b, n))`,
    `alter table "${table}" alter "steps" set not null, drop column "hist_b", drop column "hist_n"`,
  ]),
  `alter table "org_day" drop column "p95_ms"`,
];

export class Migration20261128100307_histograms extends Migration {
  override name = 'Migration20261128100307_histograms';

  override up(): void {
    for (const statement of histogramsAsNumbers) this.addSql(statement);
  }
}
