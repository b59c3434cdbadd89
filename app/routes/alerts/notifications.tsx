/** Whether this browser tells of alerts beside the page too; only where scripts run, because it is theirs to do. */
export function Notifications() {
  return (
    <div data-notifications hidden suppressHydrationWarning>
      <p data-part="off">
        Get system notifications for browser alerts while a page is open.{' '}
        <button type="button" value="yes">
          Allow notifications
        </button>
      </p>
      <p data-part="on" hidden>
        System notifications for browser alerts are on while a page is open.{' '}
        <button type="button" value="no">
          Turn off notifications
        </button>
      </p>
      <p data-part="denied" hidden>
        Notifications from this site are blocked in the browser settings.
      </p>
    </div>
  );
}
