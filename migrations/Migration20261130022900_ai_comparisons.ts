import { Migration } from '@mikro-orm/migrations';

export class Migration20261130022900_ai_comparisons extends Migration {
  override name = 'Migration20261130022900_ai_comparisons';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "ai_comparisons" ("scope_key" text not null, "months" text not null, "class" text not null, "agent" text not null, "table_version" text not null, "answer" jsonb not null, "computed_at" timestamptz not null, primary key ("scope_key", "months", "class", "agent"));`,
    );
  }
}
