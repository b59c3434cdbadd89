interface Props {
  afterMs: number;
  nonce: string;
}

/**
 * Reads the page anew once that much time is over and somebody looks at it. Nothing happens without scripts, so a link
 * that does the same belongs beside it.
 */
export const ReloadWhenSeen = ({ afterMs, nonce }: Props) => (
  <script nonce={nonce}>{`{
  const due = Date.now() + ${afterMs};
  const look = () => { if (!document.hidden && Date.now() >= due) location.reload(); };
  document.addEventListener('visibilitychange', look);
  setTimeout(look, ${afterMs});
}`}</script>
);
