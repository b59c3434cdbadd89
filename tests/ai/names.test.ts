import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanName, cleanRepository, cleanText } from '../../server/ai/names.ts';
import { processorMs } from '../support/processor-time.ts';
import * as worlds from './snapshot-worlds.ts';

describe('names', () => {
  test('keep what says something', () => {
    const stored = [
      'CI',
      'build / test (20, ubuntu-24.04)',
      'Run actions/checkout@v4',
      'Run docker/build-push-action@v5.1.0',
      'Node.js 26',
      'Lint → Fix',
      '构建',
      '1.2.3',
      'v1.2.3.4',
      'node 22.1',
      '1.2.3-beta.rc',
      'node-20.11.alpine',
      '4.0.30319.42000',
      'ci.yml',
      'build.gradle',
      'settings.gradle.kts',
      'vite.config.ts',
      '.env.local',
      'Dockerfile.dev',
      'ASP.NET Core',
      'Acme.Billing.Tests',
      'std::vector',
      'Build :: Test',
      'at 12:30:45',
      'e.g. this',
      'configure-aws-credentials-action',
      'BUILD_AND_TEST_LINUX_64',
      'task-management-service',
    ];
    expect(stored.map((name) => cleanName(name))).toEqual(stored);
  });

  test.each([
    ['Deploy https://evil.example/x now', 'Deploy [link] now'],
    ['evil.example:8080/x', '[link]'],
    ['..evil.example/x', '[link]'],
    ['ask ann@corp.example', 'ask [address]'],
    ['Run actions/checkout@8e5e7e5ab8b370d6c329ec480221332ada57f0ab', 'Run actions/checkout@[id]'],
    ['build 8e5e7e5', 'build [id]'],
    ['a\nb\tc', 'a b c'],
    ['<script>x</script>', 'script>x/script>'],
  ])('%j becomes %j', (name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });

  test('are cut between characters, and cleaning twice changes nothing', () => {
    expect(cleanName('💥'.repeat(100))).toBe('💥'.repeat(80));
    const isSettled = (name: string) => {
      const once = cleanName(name, worlds.branches);
      expect(cleanName(once, worlds.branches)).toBe(once);
    };
    fc.assert(fc.property(worlds.names, isSettled), { numRuns: 200 });
  });

  test('are dropped where they are too long to search, seen or unseen', () => {
    expect(cleanName(`a ${'x'.repeat(3998)}`)).toBe(`a ${'x'.repeat(78)}`);
    for (const name of [`a ${'x'.repeat(3999)}`, `${'\u200b'.repeat(4000)}a`, 'ﷺ'.repeat(500)])
      expect(cleanName(name)).toBe('[too long]');
  });

  test('take no time, however hostile', () => {
    const branch = 'a-'.repeat(40);
    const took = processorMs(() => {
      for (const part of ['@', 'a@', '@.', 'a.', 'a-', ':', 'a:', '<', '//', 'eyJ-', '-----BEGIN ', '1.'])
        cleanName(part.repeat(4000 / part.length), [`${branch}b`, branch.replaceAll('-', '/')]);
    });
    expect(took).toBeLessThan(2000);
  });
});

describe('branches in names', () => {
  const branches = [
    'release/hush-7',
    'feature/x',
    'ﬁx/ｏne',
    'prod',
    'topsecret',
    'main',
    'a.b+c(1)',
    'v2',
    '7.x',
    null,
  ];

  test.each([
    ['deploy feature/x to prod', 'deploy [branch] to prod'],
    ['deploy ﬁx/ｏne', 'deploy [branch]'],
    ['Ship RELEASE/hush-7', 'Ship [branch]'],
    ['Ship Release-Hush-7', 'Ship [branch]'],
    ['ship_release_hush_7_again', 'ship_[branch]_again'],
    ['release__hush_-7', '[branch]'],
    ['release-hush-7.preview.example.com, x-release-hush-7.corp.example', '[host], [host]'],
    ['A.B+C(1) and a-b-c(1) and axb+c(1)', '[branch] and [branch] and axb+c(1)'],
    ['main, Topsecret', 'main, Topsecret'],
    ['test (v2, V2) @v2', 'test ([branch], [branch]) @[branch]'],
    ['deploy_v2-now 部署v2完成', 'deploy_[branch]-now 部署[branch]完成'],
    ['v2.1 v20 env2 v2.yml', 'v2.1 v20 env2 [branch].yml'],
    ['7.x 7-x 17.x 1.7.x 7.xy', '[branch] [branch] 17.x 1.7.x 7.xy'],
  ])('%j becomes %j', (name, clean) => {
    expect(cleanName(name, branches)).toBe(clean);
  });

  test('leave no part behind wherever a long name is cut', () => {
    const ends = new Set<string>();
    for (let length = 0; length < 4100; length++) {
      ends.add(cleanName(`https://evil.example/${'y'.repeat(length)} release/hush-7`, branches));
    }
    expect([...ends]).toEqual(['[link] [branch]', '[too long]']);
  });

  test('that are signs alone are taken as they are', () => {
    expect(cleanName('a 🚀🚀 b - c_d', ['🚀🚀', '_+_'])).toBe('a [branch] b - c_d');
  });
});

describe('credentials in names', () => {
  const long = 'zB3'.repeat(12);

  test.each([
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
    'glpat-',
    'sk-',
    'sk-proj-',
    'xoxb-',
    'xoxp-',
    'sk_live_',
  ])('a token that begins with %s', (prefix) => {
    expect(cleanName(`push (${prefix}${long})`)).toBe('push ([token])');
    expect(cleanName(`push ${prefix}${long.toLowerCase()} now`)).toBe('push [token] now');
  });

  test.each([
    [`AKIA${'Q7'.repeat(8)} or KEY_ASIA${'Q7'.repeat(8)}`, '[token] or KEY_[token]'],
    [`as eyJ${'ab'.repeat(5)}.eyJ${'ab'.repeat(9)}.ab-c_d`, 'as [token]'],
    [
      'Windows-2022-VS2022-Release-x64 Build_and_Test_Linux_x64',
      'Windows-2022-VS2022-Release-x64 Build_and_Test_Linux_x64',
    ],
    ['key -----BEGIN OPENSSH PRIVATE KEY----- abc', 'key [token]'],
    ['key -----BEGIN PGP PRIVATE KEY BLOCK-----\nabc', 'key [token]'],
    [`of ${long}, ${long.slice(0, 20)}, ${long.slice(0, 19)}`, `of [token], [token], ${long.slice(0, 19)}`],
    [`https://evil.example/${long} ${long}@corp.example`, '[link] [address]'],
  ])('%j becomes %j', (name, clean) => {
    expect(cleanText(name)).toBe(clean);
  });
});

describe('hosts in names', () => {
  test.each([
    ['ship to db1.internal.example.com.', 'ship to [host].'],
    ['ship to DB1.Corp:5432 now', 'ship to [host] now'],
    ['jenkins.acme.de, deploy_web.acme.example-7', '[host], [host]'],
    ['acme.com evil.io web.lan web.cloud', '[host] [host] [host] [host]'],
    ['ping 10.1.2.3, 10.1.2.3:5432', 'ping [host], [host]'],
    ['root@10.1.2.3-db 10.1.2.3.nip.io', 'root@[host]-db [host]'],
    ['fe80::1%eth0 [2001:db8::17] ::ffff:10.1.2.3.', '[host] [[host]] [host].'],
    ['部署db1.example.com.完成, web.example.com.7, db.example.com.Then', '[host], [host], [host]'],
    ['部署db1.corp完成 部署10.1.2.3完成 部署fe80::1完成', '[host] 部署[host]完成 部署[host]完成'],
    ['db:2001:db8:0:0:0:0:0:17: up', '[host]: up'],
  ])('%j becomes %j', (name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });
});

test.each([
  ['octo/acme.github.io', 'octo/acme.github.io'],
  ['socketio/socket.io', 'socketio/socket.io'],
  [`octo/ghp_${'aB3'.repeat(12)}`, 'octo/[token]'],
  ['octo/web https://codehost.example', 'octo/web [link]'],
  ['octo/db1.internal.example.com/x', 'octo/[link]'],
])('the repository %s is reported as %s', (name, reported) => {
  expect(cleanRepository(name)).toBe(reported);
});
