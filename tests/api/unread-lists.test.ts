import { expect, test } from 'vitest';
import { expectProblem, freshService } from './endpoints.ts';

const visit = freshService();
const web = 'owner=octo&repo=web';

const questions: [question: string, field: string, operation: string][] = [
  [`repo-dora?${web}`, 'PullRequest.additions', 'closed pull requests'],
  [`repo-dora?${web}`, 'Release.tagName', 'releases'],
  [`repo-contributors?${web}`, 'PullRequest.additions', 'closed pull requests'],
  [`repo-contributors?${web}&days=90`, 'PullRequest.mergedAt', 'closed pull requests'],
  [`open-pr-health?${web}`, 'PullRequest.mergeable', 'open pull requests'],
  [`bus-factor?${web}`, 'Commit.parents', 'commits'],
  [`team-workload-risk?${web}`, 'Commit.parents', 'commits'],
  [`deployments?${web}`, 'Deployment.creator', 'deployments'],
  [`issues?${web}`, 'Issue.assignees', 'open issues'],
  [`audit-log?${web}`, 'Commit.parents', 'workflow changes'],
  ['contributor-profile?owner=octo&login=ana', 'PullRequest.additions', 'authored pull requests'],
];

test.each([
  ...questions.map((one) => [...one, 'FORBIDDEN', 403, 'upstream_forbidden'] as const),
  ...questions.map((one) => [...one, 'INTERNAL', 502, 'upstream_unavailable'] as const),
])(
  '%s counts nothing where %s hides every item, and says so',
  async (question, field, operation, type, status, code) => {
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 500 }, { kind: 'failing_field', field, type });
    const answer = await visit.service.ask('GET', `/api/codehost/${question}`, { as: 'token-ann' });
    expectProblem(answer, status, code);
    const [, name] = field.split('.');
    expect(answer.body.details).toEqual({
      upstream_status: 200,
      upstream_operation: operation,
      upstream_fields: [name],
    });
  },
);

test.each(['Repository.object', 'Tree.entries', 'TreeEntry.name'])(
  'a tree of which %s could not be read is no empty one, and the answer is not kept',
  async (field) => {
    const ask = () => visit.service.ask('GET', `/api/codehost/bus-factor?${web}`, { as: 'token-ann' });
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 500 }, { kind: 'failing_field', field, type: 'FORBIDDEN' });
    expectProblem(await ask(), 403, 'upstream_forbidden');
    visit.service.double.reset();
    expect((await ask()).body.modules.length).toBeGreaterThan(0);
  },
);

test.each(['Tree.entries', 'TreeEntry.name', 'TreeEntry.mode'])(
  'a workflow directory of which %s could not be read is not reported as one without workflows',
  async (field) => {
    const ask = () => visit.service.ask('GET', `/api/codehost/security-scan?${web}`, { as: 'token-ann' });
    await visit.service.signIn('token-ann');
    visit.service.double.fault({ path: '/graphql', times: 500 }, { kind: 'failing_field', field, type: 'FORBIDDEN' });
    expectProblem(await ask(), 403, 'upstream_forbidden');
    visit.service.double.reset();
    expect((await ask()).body).toMatchObject({ status: 'ok', workflows_found: 2, partial: false });
  },
);
