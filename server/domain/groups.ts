/** The groups of an organization's deployment; `admin` has every feature and cannot be edited. */
export const groups = ['admin', 'devops', 'security', 'dev', 'pm'] as const;

export type Group = (typeof groups)[number];

/** The groups whose features an administrator chooses. */
export const editableGroups = ['devops', 'security', 'dev', 'pm'] as const;

export type EditableGroup = (typeof editableGroups)[number];
