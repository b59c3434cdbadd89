import { describe, expect, test } from 'vitest';
import { aCommit, aFile, anActor } from '../codehost-double/delivery-builders.ts';
import { sourceErrors } from '../codehost-double/security.ts';
import { getText, visitSite } from './visited-site.ts';

const hour = 3_600_000;
const day = 24 * hour;

const visit = visitSite();

/** The part of the page about the platform's alerts. */
const getAlertRows = (text: string) =>
  /aria-label="Security alerts".*?(?=aria-label="Workflow files")/s.exec(text)?.[0] ?? '';
const green = /text-pass/;

let repositories = 0;
function repository(): string {
  repositories += 1;
  const name = `octo/secure-${repositories}`;
  visit.site.double.addRepository({ name, facts: { id: 60_000 + repositories } });
  return name;
}

describe('the alerts of a repository', () => {
  test('are counted by severity, reported by source and listed with links', async () => {
    const { status, text, content } = await visit.readPlain('/repos/octo/web/security');
    expect(status).toBe(200);
    for (const one of [
      '4 open alerts: 2 critical, 1 high, 1 medium; oldest 40 d',
      'Dependencies read 2 2 6 d n = 2 1',
      'Lamp parser runs what it reads lamp-parser · package-lock.json',
      'fixed in 2.0.0, CVSS 9.8, EPSS 42 %',
      'Markup made of user input js/markup · src/app.ts',
      'no fix yet',
      'Secrets',
    ])
      expect(content).toContain(one);
    expect(text).toContain('href="https://codehost.example/octo/web/security/dependabot/1"');
    expect(text).toContain('/api/codehost/security-alerts?owner=octo&amp;repo=web&amp;format=csv');
    expect(getAlertRows(text)).not.toMatch(green);
  });

  test('are narrowed by the filter of the address, and counted against all', async () => {
    const critical = await visit.readPlain('/repos/octo/web/security?severity=critical');
    expect(critical.content).toContain('2 of 4 open alerts match the filter.');
    expect(critical.content).toContain('Lamp parser runs what it reads');
    expect(critical.content).not.toContain('Slow wick expression');
    expect(critical.links).toContain('/api/codehost/security-alerts?owner=octo&repo=web&severity=critical&format=csv');
    const old = await visit.readPlain('/repos/octo/web/security?age=30&rule=dependabot');
    expect(old.content).toContain('1 of 4 open alerts matches the filter.');
    expect(old.content).toContain('Findings have no age, so the filter leaves them out.');
    const other = await visit.readPlain('/repos/octo/web/security?rule=workflows');
    expect(other.content).toContain('0 of 4 open alerts match the filter.');
    const all = await visit.readPlain('/repos/octo/web/security');
    expect(all.content).toContain('Severity any Critical High Medium Low Age');
    expect(all.content).not.toContain('the filter');
    expect((await visit.read('/repos/octo/web/security?age=60')).status).toBe(400);
  });

  test('are green when all three sources were read and none is open', async () => {
    const { text, content } = await visit.readPlain(`/repos/${repository()}/security`);
    expect(content).toContain('No open alerts');
    expect(getAlertRows(text)).toMatch(green);
  });

  test('are not green when one source was not read', async () => {
    const name = repository();
    visit.site.double.rejectAlerts(name, 'secret_scanning', sourceErrors.secretScanningOff);
    const { text, content } = await visit.readPlain(`/repos/${name}/security`);
    expect(content).toContain('No open alerts in the sources loaded');
    expect(content).toContain('not enabled Secret scanning is switched off for this repository.');
    expect(content).toContain('Not every source could be loaded completely: some counts are minimums');
    expect(getAlertRows(text)).not.toMatch(green);
  });

  test('say what each source answered, in words of its own', async () => {
    const name = repository();
    visit.site.double.rejectAlerts(name, 'dependabot', sourceErrors.dependabotArchived);
    visit.site.double.rejectAlerts(name, 'code_scanning', sourceErrors.nothingAnalysed);
    visit.site.double.rejectAlerts(name, 'secret_scanning', sourceErrors.fineGrained);
    const { text, content } = await visit.readPlain(`/repos/${name}/security`);
    for (const one of [
      'No source could be loaded',
      'could not be read No Dependabot alerts for archived',
      'not enabled Code scanning has never analysed this repository.',
      'denied to your token',
      'give the token read permission',
    ])
      expect(content).toContain(one);
    expect(content).not.toMatch(/\b0 open|No open alerts/);
    expect(getAlertRows(text)).not.toMatch(green);
  });

  test('and the files stand each for themselves', async () => {
    const name = repository();
    visit.site.double.fault({ path: '/graphql', times: 9 }, { kind: 'graphql_error', type: 'FORBIDDEN' });
    const { content } = await visit.readPlain(`/repos/${name}/security`);
    visit.site.double.reset();
    expect(content).toContain('No open alerts');
    expect(content).toContain('Access denied.');
  });

  test('are not reported for a repository that cannot be seen', async () => {
    const { status, text } = await visit.site.visit('/repos/octo/nowhere/security', { cookie: visit.ann });
    expect([status, text.includes('Not found')]).toEqual([404, true]);
  });
});

describe('findings in workflow files', () => {
  const risky = [
    'on: pull_request_target',
    'jobs:',
    '  build:',
    '    runs-on: ubuntu-24.04',
    '    steps:',
    '      - uses: a/b@main',
  ];

  test('are reported by rule, with the places under each, and without a score', async () => {
    const name = repository();
    visit.site.double.putWorkflowFile(name, '.github/workflows/ci.yml', risky.join('\n'));
    visit.site.double.putWorkflowFile(name, '.github/workflows/other.yml', risky.join('\n'));
    const { text, content } = await visit.readPlain(`/repos/${name}/security`);
    expect(content).toContain('2 of 2 workflow files scanned');
    const [rule = ''] = /<article class="finding" aria-label="SEC-006.*?<\/article>/s.exec(text) ?? [];
    expect(getText(rule)).toContain('.github/workflows/ci.yml, line 6');
    expect(getText(rule)).toContain('.github/workflows/other.yml, line 6');
    expect(rule).toMatch(
      /href="https:\/\/codehost\.example\/[^"]+\/blob\/[0-9a-f]{40}\/\.github\/workflows\/ci\.yml#L6"/,
    );
    expect(content).not.toMatch(/\bscore\b/i);
    expect(text).toContain('format=sarif');
  });

  test('are narrowed by severity and by rule', async () => {
    const name = repository();
    visit.site.double.putWorkflowFile(name, '.github/workflows/ci.yml', risky.join('\n'));
    const rules = async (query: string) =>
      [...(await visit.readPlain(`/repos/${name}/security${query}`)).text.matchAll(/aria-label="(SEC-\d+)/g)]
        .map(([, id]) => id)
        .toSorted();
    const all = await rules('');
    expect(all).toContain('SEC-006');
    expect(await rules('?rule=sec-006')).toEqual(['SEC-006']);
    expect(await rules('?rule=workflows')).toEqual(all);
    const high = await rules('?severity=high');
    expect(high.length).toBeGreaterThan(0);
    expect(high.length).toBeLessThan(all.length);
    expect(await rules('?rule=dependabot')).toEqual([]);
    expect((await visit.readPlain(`/repos/${name}/security?rule=dependabot`)).content).toContain(
      'No finding matches the filter.',
    );
  });

  test('that are suppressed stand apart, files that could not be read are named', async () => {
    const name = repository();
    const silenced = risky.join('\n').replace('a/b@main', 'a/b@main # scan: ignore SEC-006 our own action');
    visit.site.double.putWorkflowFile(name, '.github/workflows/ci.yml', silenced);
    visit.site.double.putWorkflowFile(name, '.github/workflows/broken.yml', 'on: [push\njobs: {');
    const { content } = await visit.readPlain(`/repos/${name}/security`);
    expect(content).toMatch(/1 suppressed finding .*SEC-006 .*Suppressed: our own action/);
    expect(content).toMatch(/Not scanned: .*\.github\/workflows\/broken\.yml/);
  });

  test('are none where there are no workflow files', async () => {
    const { content } = await visit.readPlain('/repos/octo/no-actions/security');
    expect(content).toContain('No workflow files on the default branch');
  });
});

describe('changes of workflow files', () => {
  const file = (name: string) => aFile(`.github/workflows/${name}`);

  function changed() {
    const name = repository();
    const now = Date.now();
    const add = (back: number, author: string, message: string, files: ReturnType<typeof file>[]) =>
      visit.site.double.addCommit(name, aCommit(now - back, anActor(author), message, { files }));
    add(900 * day, 'ann', 'First', [aFile('a.ts')]);
    add(30 * day, 'bo', 'Deploy by hand', [file('deploy.yml')]);
    add(3 * day, 'ann', 'Test twice', [file('ci.yml')]);
    add(2 * hour, 'dependabot[bot]', 'Raise an action', [file('ci.yml'), { ...file('deploy.yml'), removed: true }]);
    return name;
  }

  test('tell when, what, who and how', async () => {
    const name = changed();
    const { text, content } = await visit.readPlain(`/repos/${name}/changes`);
    for (const one of [
      '3 changes of 2 files by 3 authors; 1 in the last 24 hours; none verified.',
      'last 24 h Raise an action',
      'deploy.yml removed',
      'dependabot bot',
      'the default branch',
    ])
      expect(content).toContain(one);
    expect(text).toContain(
      `/api/codehost/audit-log?owner=octo&amp;repo=${name.split('/')[1]}&amp;limit=30&amp;format=csv`,
    );
    expect(text).toMatch(/href="https:\/\/codehost\.example\/octo\/secure-\d+\/commit\/[0-9a-f]{40}"/);
  });

  test('of one file and one author, chosen in the address', async () => {
    const name = changed();
    const ofFile = await visit.readPlain(`/repos/${name}/changes?file=.github%2Fworkflows%2Fdeploy.yml`);
    expect(ofFile.content).toContain(
      '2 changes of 2 files by 2 authors in the latest 3; 1 in the last 24 hours; none verified.',
    );
    expect(ofFile.content).not.toContain('Test twice');
    expect(ofFile.text).toMatch(/<option value="\.github\/workflows\/deploy\.yml" selected/);
    const ofBoth = await visit.readPlain(`/repos/${name}/changes?file=.github%2Fworkflows%2Fdeploy.yml&author=ann`);
    expect(ofBoth.content).toContain('No changes match these filters.');
  });

  test('say each signature where they differ', async () => {
    const name = changed();
    const { content: alike } = await visit.readPlain(`/repos/${name}/changes`);
    expect(alike).not.toContain('Signature');
    const signed = aCommit(Date.now() - hour, anActor('ann'), 'Signed', {
      files: [file('ci.yml')],
      signature: 'VALID',
    });
    visit.site.double.addCommit(name, signed);
    visit.site.double.addCommit(name, aCommit(Date.now(), anActor('ann'), 'Not signed', { files: [file('ci.yml')] }));
    const { content } = await visit.readPlain(`/repos/${name}/changes?limit=40`);
    expect(content).toContain('Signature');
    expect(content).toMatch(/Signature .* unverified .* Signed/);
    expect(content).not.toContain('none verified');
  });

  test('are requested in greater number by a link that keeps the choice', async () => {
    const name = changed();
    const few = await visit.readPlain(`/repos/${name}/changes?limit=2&author=ann`);
    expect(few.content).toContain('Show 32 changes');
    expect(few.text).toContain('?limit=32&amp;author=ann');
    expect((await visit.readPlain(`/repos/${name}/changes?limit=3`)).content).toContain('Show 33 changes');
    expect((await visit.readPlain(`/repos/${name}/changes?limit=4`)).content).not.toMatch(/Show \d+ changes/);
  });

  test('are none where there never was a workflow', async () => {
    const { content } = await visit.readPlain('/repos/octo/empty/changes');
    expect(content).toContain('No commit on the default branch has changed a workflow file');
    const wrong = await visit.site.visit('/repos/octo/web/changes?limit=0', { cookie: visit.ann });
    expect(wrong.status).toBe(400);
  });
});
