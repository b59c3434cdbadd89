import { z } from 'zod';
import { identifier, repository } from '../../api/parameters.ts';
import { explanations } from '../../reports/kernel/explanations.ts';
import { getWorkflowHealth, getWorkflows } from '../../reports/workflows/operations.ts';
import { paging } from '../input.ts';
import { measureListed } from '../measurement.ts';
import { repositoryPage, sharedOf } from '../shared.ts';
import { tool } from '../tool.ts';
import { untrusted } from '../untrusted.ts';

export const workflowHealth = tool({
  name: 'workflow_health',
  title: 'Workflows',
  question: 'How often does CI of acme/shop fail?',
  description:
    'The workflows of a repository with their ids or, with workflow_id, success rate, durations, queue wait and failure streak of the newest runs of one.',
  input: z.object({ ...repository, workflow_id: identifier.optional(), ...paging }),
  operations: [getWorkflows, getWorkflowHealth],
  questions: ({ owner, repo }) => [{ operation: getWorkflows, params: { owner, repo } }],
  async run({ owner, repo, workflow_id }, reader) {
    const workflows = await reader.read(getWorkflows, { owner, repo });
    const items = workflows.answer
      .filter(({ id }) => workflow_id === undefined || id === workflow_id)
      .map(({ id, name, path, state }) => ({
        key: String(id),
        value: { workflow_id: id, name: untrusted(name), path: untrusted(path), state },
      }));
    if (workflow_id === undefined)
      return {
        subject: { owner, repo },
        parts: [workflows],
        measurements: [],
        items,
        page: repositoryPage({ owner, repo }, '/workflows'),
      };
    const health = await reader.read(getWorkflowHealth, { owner, repo, workflow_id });
    const page = repositoryPage({ owner, repo }, `/workflows/${workflow_id}`);
    const shared = sharedOf(reader, { owner, repo, workflow_id }, page);
    return {
      subject: { owner, repo, workflow_id },
      parts: [workflows, health],
      measurements: measureListed(health, shared, (key) => explanations.has(key)),
      items,
      page,
    };
  },
});
