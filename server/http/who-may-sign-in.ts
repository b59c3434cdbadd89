import { type Admission, readAdmission } from '../access/admission.ts';
import type { Context } from '../access/context.ts';
import { toProblem } from './error-body.ts';
import { notePanel } from './page-status.ts';

/** Who may sign in to a standalone installation, for the page that requests a token; null while it cannot be read. */
export async function whoMaySignIn(context: Context): Promise<Admission | null> {
  try {
    return await readAdmission(context.services);
  } catch (error) {
    notePanel(context, toProblem(error, context));
    return null;
  }
}
