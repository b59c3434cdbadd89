import { Migration } from '@mikro-orm/migrations';

/** Checked answers of AI providers, by all that they depend on. */
const cache = `create table ai_cache (
  key text primary key,
  payload jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
)`;

/** Tokens by UTC day: what calls took, and what is set aside for those under way. */
const usage = `create table ai_usage_daily (
  day date primary key,
  prompt_tokens bigint not null default 0,
  completion_tokens bigint not null default 0,
  reserved bigint not null default 0,
  calls int not null default 0
)`;

export class Migration20261122090000_ai extends Migration {
  override up() {
    this.addSql(cache);
    this.addSql('create index ai_cache_by_expiry on ai_cache (expires_at)');
    this.addSql(usage);
  }
}
