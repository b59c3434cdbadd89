const keys = [
  ['/', 'Search'],
  ['Ctrl K or Cmd K', 'Search, also while typing'],
  ['Up, Down', 'Choose a result'],
  ['Enter', 'Open it'],
  ['Esc', 'Close'],
  ['?', 'List the keys'],
  ['←, →, Home, End', 'Read the values of a chart'],
] as const;

/** The keys of every page with scripts; the palette of other pages shows this list. */
export const Keys = () => (
  <dl className="keys" data-keys>
    {keys.map(([key, does]) => (
      <div key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
);
