/** The icons of the rail, each beside its word, and of definitions: 16 by 16, drawn in strokes. */
const paths = {
  overview: 'M2 8.5 8 3l6 5.5M4 7.5V13h3v-3h2v3h3V7.5',
  repositories: 'M4 2h8.5v12H4.5A1.5 1.5 0 0 1 3 12.5v-9A1.5 1.5 0 0 1 4.5 2M3 12.5A1.5 1.5 0 0 1 4.5 11h8M6 5h4',
  pulls:
    'M4 5.5v5M4 2.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm0 8a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm8 0a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm0 0V6a2 2 0 0 0-2-2H8m1.5-1.5L8 4l1.5 1.5',
  ci: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM6.5 5.5 10.5 8l-4 2.5z',
  deployments: 'M8 10.5V2.5M5 5l3-2.5L11 5M3 9.5V13h10V9.5',
  team: 'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM1.75 13c.3-2.4 2-3.75 4.25-3.75S9.95 10.6 10.25 13M10.5 3.25a2.25 2.25 0 0 1 0 4.25M12 9.5c1.3.5 2.1 1.7 2.25 3.5',
  security: 'M8 1.75 13 3.5v4c0 3.2-2 5.4-5 6.75-3-1.35-5-3.55-5-6.75v-4zM6 8l1.5 1.5L10.25 6.5',
  cost: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM10 5.8C9.5 5 8.8 4.8 8 4.8c-1.1 0-2 .5-2 1.5 0 2.2 4.2 1 4.2 3.2 0 1-1 1.7-2.2 1.7-.9 0-1.7-.4-2.1-1.2M8 3.6v8.8',
  reports: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  alerts: 'M8 2a4 4 0 0 0-4 4c0 3.5-1.5 5-1.5 5h11S12 9.5 12 6a4 4 0 0 0-4-4zM6.75 13.25a1.4 1.4 0 0 0 2.5 0',
  settings:
    'M2.5 4.5h5M11 4.5h2.5M2.5 11.5H5M8.5 11.5h5M9.25 2.75a1.75 1.75 0 1 0 0 3.5 1.75 1.75 0 0 0 0-3.5zM6.75 9.75a1.75 1.75 0 1 0 0 3.5 1.75 1.75 0 0 0 0-3.5z',
  docs: 'M8 4c-1.5-1-3.5-1.25-5.5-1v9.5c2-.25 4 0 5.5 1 1.5-1 3.5-1.25 5.5-1V3c-2-.25-4 0-5.5 1zm0 0v9.5',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 7.25V11M8 5v.01',
  habits: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.75V8l2.25 1.5',
} as const;

export type IconName = keyof typeof paths;

export const Icon = ({ name }: { name: IconName }) => (
  <svg className="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
    <path
      d={paths[name]}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

/** The mark of the product: a line that rises to a light. */
export const Mark = () => (
  <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
    <path
      d="M2 17l5-5 4 3.5 7-8"
      fill="none"
      stroke="var(--mark)"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <circle cx="20" cy="5.5" r="3" fill="#ffffff" />
  </svg>
);
