import { ScrollBox } from '../../../charts/scroll-box.tsx';

/** A unified diff as text; added and removed lines are marked by their sign, and by colour. */
export function Diff({ text }: { text: string }) {
  const lines = text.trimEnd().split('\n');
  return (
    <ScrollBox label="Diff">
      <pre className="diff">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat, and their place is what they are.
          <span key={index} className={classOf(line)}>
            {`${line}\n`}
          </span>
        ))}
      </pre>
    </ScrollBox>
  );
}

function classOf(line: string): string | undefined {
  if (/^(---|\+\+\+|@@)/.test(line)) return 'muted';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : undefined;
}
