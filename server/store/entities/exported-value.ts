import { defineEntity, p } from '@mikro-orm/core';
import { Repository } from './repository.ts';
import { double, instant } from './types.ts';

/** A metric of a repository as `/metrics` shows it, replaced together with the repository's others. */
export const ExportedValue = defineEntity({
  name: 'ExportedValue',
  tableName: 'exported_values',
  properties: {
    repoId: () => p.manyToOne(Repository).mapToPk().joinColumn('repo_id').deleteRule('cascade').primary(),
    /** The metric family. */
    family: p.text().primary(),
    /** The labels as text, so that they can be a key. */
    labelsKey: p.text().primary(),
    /** Those beside `owner` and `repo`. */
    labels: p.json<Record<string, string>>(),
    /** In the unit of the family. */
    value: double(),
    /** How many items stand behind it; null where that says nothing. */
    n: p.integer().strictNullable(),
    /** Until when the facts behind it are known. */
    asOf: instant(),
  },
});
