/** The fields of the form of a badge, as the operation takes them. */
export function readBadge(form: FormData): Record<string, unknown> {
  const given = (name: string) => form.get(name) || undefined;
  const [workflowId, days] = [given('workflow_id'), given('expires_in_days')];
  return {
    badge: {
      kind: given('kind'),
      owner: given('owner'),
      repo: given('repo'),
      workflow_id: workflowId && Number(workflowId),
    },
    expires_in_days: days && Number(days),
  };
}
