import { actionUse, actionUseKey, type KnownAction } from '../../scan/action-knowledge.ts';
import { isFullVersion } from '../../scan/action-versions.ts';
import { versionNumbers } from '../../scan/actions.ts';
import type { Hit } from '../../scan/rule.ts';
import { getRule } from '../../scan/rules.ts';
import type { YamlScalar } from '../../scan/yaml.ts';
import { type AdvisedFile, kind, withoutHistory } from '../kind.ts';
import type { Change, YamlPath } from '../patch/change.ts';
import { reasonsWhere } from '../reasons.ts';
import { stepPath } from '../traits.ts';

/** Contract of the advisor, section 2.15. */
export const pins = kind({
  id: 'ADV-21',
  title: 'Pin actions to commits',
  certainty: 'risk',
  rules: ['SEC-006', 'SEC-014'],
  definition: 'A tag or branch is replaced by the commit that it leads to now, with the version in a comment.',
  *find(file) {
    const { workflow, around } = file;
    for (const hit of ['SEC-006', 'SEC-014'].flatMap((id) => [...getRule(id).find(workflow, around)])) {
      const uses = hit.step?.uses ?? hit.job?.uses;
      const anchor = pathOf(hit);
      if (!uses || !anchor) continue;
      const known = findKnown(file, uses);
      yield {
        anchor,
        offset: uses.offset,
        ...withoutHistory(`“${uses.value.trim()}” is not pinned: whoever can move the ref decides what runs.`),
        reasons: reasonsWhere({ reference_unknown: known === null }),
        changes: known === null ? [] : [toChange(anchor, uses, known)],
        counterfactual: null,
      };
    }
  },
});

function pathOf({ job, step }: Hit): YamlPath | null {
  if (!job) return null;
  const owner = step ? stepPath(job, step) : ['jobs', job.id];
  return owner && [...owner, 'uses'];
}

type Pinned = KnownAction & { commit: string };

/** What the ref leads to; null where that is not known for certain. */
function findKnown({ workflow, around }: AdvisedFile, uses: YamlScalar): Pinned | null {
  const use = actionUse(workflow, uses);
  const known = use && around.actions?.get(actionUseKey(use));
  if (!known || known.commit === null || known.isBranchAndTag) return null;
  return { ...known, commit: known.commit };
}

function toChange(at: YamlPath, uses: YamlScalar, known: Pinned): Change {
  const [name = '', ref = ''] = uses.value.trim().split('@');
  return { do: 'replace', at, value: `${name}@${known.commit}`, comment: mostExact([ref, ...(known.tags ?? [])]) };
}

/** The name with most numbers among the tags of a commit; the first one of several. */
function mostExact(names: readonly string[]): string {
  const count = (name: string) => (isFullVersion(name) ? 3 : (versionNumbers(name)?.length ?? 0));
  return names.reduce((best, name) => (count(name) > count(best) ? name : best));
}
