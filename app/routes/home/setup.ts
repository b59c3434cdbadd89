import { data, redirect } from 'react-router';
import type { z } from 'zod';
import type { Context } from '../../../server/access/context.ts';
import { getSetupSteps, type SetupSteps } from '../../../server/api/settings/setup-steps.ts';
import { type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { isSetupDismissed, readSetupDismissal } from '../../../server/http/preferences.ts';
import { isLeft } from './left-steps.ts';

export type Setup = z.output<typeof SetupSteps>;

/** What the reader has left to set up; null where that is nothing, or they do not want to see it. */
export async function readSetup(pageRequest: PanelRequest): Promise<Setup | null> {
  const { context } = pageRequest;
  if (context.isDemo || !context.services.store || (await isSetupDismissed(context))) return null;
  const answer = await panel(getSetupSteps, { ...pageRequest, isOptional: true });
  return answer.ok && answer.data.steps.some(isLeft) ? answer.data : null;
}

/** Keeps the checklist away from whoever pressed the button. */
export async function dismissSetup(context: Context, form: FormData) {
  const cookie = await readSetupDismissal(context, form);
  if (cookie !== null) return redirect('/', { status: 303, headers: { 'Set-Cookie': cookie } });
  const problem = { code: 'csrf_rejected', error: 'This form belongs to another session. Reload the page and retry.' };
  return data({ rejected: { intent: 'dismissSetup', problem, values: {} } }, { status: 403 });
}
