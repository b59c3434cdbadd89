/** A small triangle in words: not every font has one as a character. */
export const Triangle = ({ isDown = false }: { isDown?: boolean }) => (
  <svg className="triangle" width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
    <path d={isDown ? 'M0 1h8L4 8z' : 'M0 7 4 0l4 7z'} fill="currentColor" />
  </svg>
);
