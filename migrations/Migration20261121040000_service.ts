import { Migration } from '@mikro-orm/migrations';

export class Migration20261121040000_service extends Migration {
  override up() {
    this.addSql(`create table sessions (
      id_hash bytea primary key,
      codehost_id bigint not null,
      login text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      revoked_at timestamptz,
      revoke_reason text,
      last_seen_at timestamptz not null,
      user_agent_short text not null
    )`);
    this.addSql(`create index sessions_live on sessions (codehost_id) where revoked_at is null`);
    this.addSql(`create table settings (
      key text primary key,
      value jsonb not null,
      secret_sealed text,
      secret_hint text,
      updated_by text not null,
      updated_at timestamptz not null,
      version int not null
    )`);
    this.addSql(`create table job_leases (
      job text primary key,
      holder text not null,
      acquired_at timestamptz not null,
      expires_at timestamptz not null
    )`);
    this.addSql(`create table job_runs (
      id bigint generated always as identity primary key,
      job text not null,
      slot text not null,
      trigger text not null,
      started_at timestamptz not null,
      finished_at timestamptz,
      status text not null,
      summary jsonb not null
    )`);
    this.addSql(`create index job_runs_by_slot on job_runs (job, slot)`);
    this.addSql(`create index job_runs_by_start on job_runs (job, started_at desc)`);
    // Not logged: counters of the last minutes may be lost in a crash, and a request need not wait for the disk.
    this.addSql(`create unlogged table rate_limits (
      key text primary key,
      hits bigint[] not null,
      updated_at timestamptz not null
    )`);
  }
}
