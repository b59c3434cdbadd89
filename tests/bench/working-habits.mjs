// Working habits of 300 people against the same figures in bare SQL.  node tests/bench/working-habits.mjs [rounds]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { habitFigures } from '../../server/metrics/people/habit-figures.ts';
import { createPeople } from '../../server/metrics/people/people.ts';
import { createLog } from '../../server/platform/log.ts';
import { connect } from '../../server/store/connection.ts';
import { toDatabase } from '../../server/store/database.ts';
import { migrate } from '../../server/store/migrate.ts';
import { createStore } from '../../server/store/orm.ts';
import { createDatabase } from '../support/created-databases.ts';
import { findPrograms, startServer } from '../support/postgres.ts';
import { median, print, timed } from './made.mjs';

const [rounds = 15] = process.argv.slice(2).map(Number);
const [repositories, pulls, commits, persons] = [40, 20_000, 100_000, 300];
const [now, day] = [Date.UTC(2026, 2, 1), 86_400_000];
const thresholds = { filesPerCommit: 20, linesPerCommit: 400, commitsPerPr: 20 };

const log = createLog('silent');
const every = Array.from({ length: repositories }, (_, index) => index + 1);
/** What the design measured on its own schema, in ms. */
const scopes = [
  { label: 'whole owner, 90 days', days: 90, repoIds: every, login: null, design: 36.7 },
  { label: 'whole owner, 30 days', days: 30, repoIds: every, login: null, design: 17.4 },
  { label: 'one repository, 90 days', days: 90, repoIds: [7], login: null, design: 3.7 },
  { label: 'own login, 90 days', days: 90, repoIds: every, login: 'person-42', design: 12.8 },
];

const filling = [
  `insert into repos (codehost_repo_id, owner, name, owner_key, name_key, html_url, private, archived, tracked)
   select n, 'bench', 'repo-' || n, 'bench', 'repo-' || n, '', false, false, true from generate_series(1, ${repositories}) n`,
  `insert into accounts (id, login, avatar_url, is_bot)
   select n, 'person-' || n, 'https://avatars.test/u/' || n, n % 60 = 0 from generate_series(1, ${persons}) n`,
  // Each repository has as many people as the others, and half of its pull requests are those of a few.
  `insert into pr_facts (repo_id, number, author_id, state, is_draft, created_at, updated_at, closed_at, merged_at,
     merged_by_id, base_branch, head_branch, labels, additions, deletions, changed_files, commit_count, is_revert,
     reviews, reviews_truncated, clock, html_url, commits_synced_at)
   select 1 + n % ${repositories}, n, 1 + (n * 7919 % case when n % 2 = 0 then 40 else ${persons} end), 'merged', false,
     at - interval '1 day', at, at, at, 1, 'main', 'topic', '[]', n % 700, n % 90, 1 + n % 30, 5, false, '[]', false,
     '[]', '', at
   from (select n, to_timestamp(${now / 1000} - n * ${(90 * day) / 1000 / pulls}::float8) as at
         from generate_series(1, ${pulls}) n) made`,
  `insert into commit_facts (repo_id, pr_number, sha, position, merged_at, author_id, author_name, authored_at, is_merge,
     additions, deletions, changed_files)
   select p.repo_id, p.number, md5(p.number || ' ' || place) || '00000000', place, p.merged_at,
     case when (p.number + place) % 50 = 0 then null when place = 5 then 1 + (p.number * 31 % ${persons}) else p.author_id end,
     'Name ' || p.number % 25, p.merged_at, place = 4 and p.number % 5 = 0,
     (p.number * 13 * place) % 500, (p.number * place) % 60, 1 + (p.number * place) % 40
   from pr_facts p cross join generate_series(1, ${commits / pulls}) place`,
  `insert into identity_links (alias_key, alias, primary_key, primary_login, created_by, created_at)
   select 'person-' || n, 'person-' || n, 'person-' || n - 200, 'person-' || n - 200, 'bench', now()
   from generate_series(201, 230) n`,
  'vacuum analyze',
];

/** Groups in the database, medians included, and names nothing: less than any answer can do. */
const bare = `
  with who as (
    select a.id, coalesce(l.primary_key, a.login) as person
    from accounts a left join identity_links l on l.alias_key = a.login where not a.is_bot),
  sizes as (
    select coalesce(w.person, c.author_name) as person, c.additions + c.deletions as lines, c.changed_files as files
    from commit_facts c left join who w on w.id = c.author_id
    where c.repo_id = any($1::int[]) and c.merged_at >= $2::timestamptz and c.merged_at < $3::timestamptz
      and not c.is_merge and ($4::text is null or w.person = $4))
  select person, count(*), percentile_cont(0.5) within group (order by lines) as lines,
    percentile_cont(0.5) within group (order by files) as files,
    count(*) filter (where lines > 400 or files > 20) as oversized
  from sizes group by person`;

async function measure(url) {
  const connection = await connect({ log, poolMax: 4, statementTimeoutMs: 60_000, url });
  await migrate(connection.orm);
  const database = toDatabase(connection.orm);
  const store = createStore(database, log, connection.close);
  for (const statement of filling) await database.query(statement);
  const table = {};
  for (const { label, days, repoIds, login, design } of scopes) {
    const window = { from: now - days * day, to: now };
    const figures = async () => {
      const [facts, links] = await Promise.all([
        store.workingHabits.facts({ repoIds, ...window, login }),
        login === null ? store.identity.links() : [],
      ]);
      const people = createPeople(links);
      const { rows } = habitFigures(facts, { thresholds, people, only: login, namesOthers: login === null });
      const largest = rows.flatMap((row) => row.largest).filter(({ kind }) => kind === 'commit');
      const places = largest.map(({ pullRequest: { repoId, number }, position }) => ({ repoId, number, position }));
      await store.workingHabits.shas(places, login);
    };
    const read = () => store.workingHabits.facts({ repoIds, ...window, login });
    const limit = () => database.query(bare, [repoIds, new Date(window.from), new Date(window.to), login]);
    const times = { ours: [], read: [], bare: [] };
    for (let round = -2; round < rounds; round++)
      for (const [name, work] of Object.entries({ ours: figures, read, bare: limit })) {
        const took = await timed(work);
        if (round >= 0) times[name].push(took);
      }
    const [ours, reading, limitMs] = [times.ours, times.read, times.bare].map(median);
    table[label] = {
      ms: ours.toFixed(1),
      'of which reading': reading.toFixed(1),
      'bare SQL': limitMs.toFixed(1),
      'times bare SQL': (ours / limitMs).toFixed(2),
      'times the design': (ours / design).toFixed(2),
    };
  }
  print(`median of ${rounds} rounds`, table);
  await store.close();
}

console.log(`${commits} commits of ${pulls} merged pull requests by ${persons} people, 30 of them linked`);
const folder = mkdtempSync(join(tmpdir(), 'bench-habits-'));
const programs = findPrograms();
if (programs) {
  const server = await startServer(programs);
  console.log('PostgreSQL');
  await measure(await createDatabase(server.socket));
  await server.stop();
}
console.log('embedded');
await measure(`pglite://${folder}`);
rmSync(folder, { recursive: true, force: true });
