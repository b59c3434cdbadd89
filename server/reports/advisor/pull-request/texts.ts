import type { Context } from '../../../access/context.ts';
import type { AdvisedItem } from '../../../advisor/advise.ts';
import { pullRequestBody } from '../../../advisor/pull-request/body.ts';
import type { Advice } from '../reading.ts';

/** What a pull request with these changes says, without what its author adds. */
export const describeChanges = (
  { repository, window: { usable }, attempts, calibration, changes, settings }: Advice,
  chosen: readonly AdvisedItem[],
  { context: { services, isDemo }, mayCost }: { context: Context; mayCost: boolean },
): string => {
  const { APP_URL: appUrl, CODEHOST_WEB_URL: webUrl } = services.env;
  return pullRequestBody({
    repository,
    chosen,
    window: usable && { from: usable.from, to: usable.to, attempts: attempts ?? 0 },
    reproducedMinutes: calibration?.state === 'ok' ? calibration.minutesReplayed : null,
    together: chosen.length > 1 && changes.together.next !== null ? changes.together : null,
    showsCost: settings.pull_request_cost && mayCost,
    pagesUrl: isDemo ? `${appUrl}/demo` : appUrl,
    webUrl,
  });
};
