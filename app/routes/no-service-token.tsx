import { Notice } from '../components/notice.tsx';

/** What a service without a token of its own never does. */
export function NoServiceToken() {
  return (
    <Notice tone="partial" title="CODEHOST_TOKEN is not set.">
      The service needs a token of its own for nightly synchronization, for rules on pull requests and commits, for the
      daily digest and for weekly emails. Rules on CI runs are evaluated whenever somebody synchronizes or a webhook
      arrives; with SCHEDULER=off, what a webhook brought is evaluated with the next cron call.
    </Notice>
  );
}
