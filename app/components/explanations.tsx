interface Props {
  /** What the list tells: `What each job does`. */
  title: string;
  of: readonly { name: string; text: string }[];
}

/** What the entries of a list or a table are, in a sentence each, one click away. */
export function Explanations({ title, of }: Props) {
  return (
    <details className="source">
      <summary>{title}</summary>
      <dl className="explanations">
        {of.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
