/** Slanted lines for what was not read, and stripes that tell a failure from a success without colour. */
export function Hatches({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-unread`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line className="unread-line" x1="0" x2="0" y1="0" y2="6" />
      </pattern>
      <pattern id={`${id}-fail`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <rect className="fill-fail" width="6" height="6" />
        <line className="fail-line" x1="0" x2="0" y1="0" y2="6" />
      </pattern>
    </defs>
  );
}

export type Tone = 'pass' | 'fail' | 'warning' | 'running' | 'void' | 'one' | 'two' | 'three' | 'four' | 'five';

/** The paint of a mark: failures are striped, everything else is a plain token. */
export const paint = (tone: Tone, id: string) =>
  tone === 'fail' ? { fill: `url(#${id}-fail)` } : { className: `fill-${tone}` };

/** The paint of what was not read or is not known. */
export const unreadPaint = (id: string) => ({ fill: `url(#${id}-unread)` });
