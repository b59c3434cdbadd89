import { Migration } from '@mikro-orm/migrations';

export class Migration20261130055100_ai_comparisons extends Migration {
  override name = 'Migration20261130055100_ai_comparisons';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "ai_comparisons" ("cells_key" text not null, "class" text not null, "agent" text not null, "table_version" text not null, "answer" jsonb not null, "computed_at" timestamptz not null, primary key ("cells_key", "class", "agent"));`,
    );
  }
}
