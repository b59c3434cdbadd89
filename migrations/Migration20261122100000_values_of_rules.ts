import { Migration } from '@mikro-orm/migrations';

export class Migration20261122100000_values_of_rules extends Migration {
  override up() {
    // Of each UTC day the highest value that a rule told of a repository.
    this.addSql(`create table alert_rule_days (
      rule_id int not null references alert_rules on delete cascade,
      repo_id int not null references repos on delete cascade,
      day date not null,
      highest float8 not null,
      primary key (rule_id, day, repo_id)
    )`);
    // Whether the sample was large enough to judge by.
    this.addSql('alter table alert_rule_state add column judged boolean not null default false');
    this.addSql('create index alert_rule_days_by_age on alert_rule_days using brin (day)');
  }
}
