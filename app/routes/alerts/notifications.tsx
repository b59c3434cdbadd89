/** Whether this browser tells of alerts beside the page too; only where scripts run, because it is theirs to do. */
export function Notifications() {
  return (
    <div data-notifications hidden suppressHydrationWarning>
      <p data-part="off">
        New alerts of rules that tell in the browser can come as system notifications while a page of this service is
        open.{' '}
        <button type="button" value="yes">
          Allow notifications
        </button>
      </p>
      <p data-part="on" hidden>
        New alerts of rules that tell in the browser come as system notifications while a page of this service is open.{' '}
        <button type="button" value="no">
          Stop notifications
        </button>
      </p>
      <p data-part="denied" hidden>
        This browser refuses notifications from this address; that can be changed in its settings.
      </p>
    </div>
  );
}
