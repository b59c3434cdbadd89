import { previewAlert } from '../../../server/alerts/operations/preview.ts';
import { type PanelRequest, panel } from '../../../server/http/adapters.ts';
import { type BackTest, backTested } from './back-test.tsx';
import { toBackTest } from './form-values.ts';
import { type AlertsAnswer, isDigest } from './labels.ts';

/** What the saved rule of the address would have done; null where it names none. */
export async function readBackTest(request: PanelRequest, alerts: AlertsAnswer): Promise<BackTest | null> {
  const id = Number(request.context.url.searchParams.get(backTested));
  const rule = alerts.ok ? alerts.data.rules.find((one) => one.id === id) : undefined;
  if (!rule || isDigest(rule)) return null;
  return { rule, result: await panel(previewAlert, { ...request, isOptional: true, extra: toBackTest(rule) }) };
}
