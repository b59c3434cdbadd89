import { type ActionUse, actionUse, actionUseKey, type KnownAction } from '../action-knowledge.ts';
import { areComparable, areSameVersion, isAffected, isFullVersion, versionUsed } from '../action-versions.ts';
import { usedIn } from '../actions.ts';
import { type Hit, type Rule, rule, type Surroundings } from '../rule.ts';
import type { Workflow } from '../workflow.ts';

interface Used {
  use: ActionUse;
  known: KnownAction;
  /** Where it is. */
  place: Hit;
}

/** Every action and called workflow of which the platform reported something. */
function* knownIn(workflow: Workflow, { actions }: Surroundings): Generator<Used> {
  if (actions === null) return;
  for (const { scalar, uses: _, ...where } of usedIn(workflow)) {
    const use = actionUse(workflow, scalar);
    const known = use && actions.get(actionUseKey(use));
    if (use && known) yield { use, known, place: { ...where, offset: scalar.offset } };
  }
}

const thirdParty = 'https://docs.github.com/en/actions/reference/security/secure-use#using-third-party-actions';

const vulnerable = rule({
  id: 'SEC-034',
  severity: 'high',
  confidence: 'high',
  title: 'Action with a known vulnerability',
  description: 'A published advisory affects the version that is used here.',
  fix: 'Update to a version that the advisory lists as fixed, and read it: secrets may have to be rotated.',
  reference: 'https://github.com/advisories?query=type%3Areviewed+ecosystem%3Aactions',
  *find(workflow, around): Iterable<Hit> {
    for (const { use, known, place } of knownIn(workflow, around)) {
      const version = versionUsed(use.isSha ? '' : use.ref, known.tags ?? []);
      if (version === null) continue;
      const affecting = (known.advisories ?? []).filter(({ range }) => isAffected(version, range));
      const named = affecting.map(({ id, patched }) => (patched === null ? id : `${id} (fixed in ${patched})`));
      if (named.length > 0) yield { ...place, detail: `Version ${version} is affected by ${named.join(', ')}.` };
    }
  },
});

const impostor = rule({
  id: 'SEC-035',
  severity: 'critical',
  confidence: 'medium',
  title: 'Impostor commit',
  description:
    'No branch or tag of the repository contains this commit. GitHub also resolves commits of forks under the name ' +
    'of the original, so anyone with a fork can have written it; or its branch was deleted.',
  fix: 'Pin the commit of a released version, and find out where this one came from.',
  reference: thirdParty,
  *find(workflow, around): Iterable<Hit> {
    for (const { use, known, place } of knownIn(workflow, around))
      if (use.isSha && known.isReachable === false) yield place;
  },
});

const otherVersion = rule({
  id: 'SEC-036',
  severity: 'info',
  confidence: 'high',
  title: 'Version comment does not match the commit',
  description: 'Reviewers trust the comment for what runs, and update bots start from it.',
  fix: 'Pin the commit of the version in the comment, or correct the comment.',
  reference: thirdParty,
  *find(workflow, around): Iterable<Hit> {
    for (const { use, known, place } of knownIn(workflow, around)) {
      const { tags, commit, commentedCommit } = known;
      const { comment } = use;
      if (comment === null || commit === null || tags === null || commentedCommit === commit) continue;
      const full = tags.filter(isFullVersion);
      // A shortened tag goes along with every version; it counts only where no full one is beside it.
      const preferred = full.length > 0 ? full : tags;
      if (preferred.some((tag) => areSameVersion(comment, tag))) continue;
      const named = preferred.find((tag) => areComparable(comment, tag));
      if (named !== undefined) yield { ...place, detail: `The comment says ${comment}, the commit is ${named}.` };
      else if (commentedCommit !== null && isFullVersion(comment))
        yield { ...place, detail: `${comment} is the commit ${commentedCommit.slice(0, 12)}….` };
    }
  },
});

const archived = rule({
  id: 'SEC-039',
  severity: 'medium',
  confidence: 'high',
  title: 'Archived action',
  description: 'Its repository is read-only: vulnerabilities and bugs will not be fixed.',
  fix: 'Use a maintained action, or run the commands directly.',
  reference: 'https://docs.github.com/en/repositories/archiving-a-github-repository/archiving-repositories',
  *find(workflow, around): Iterable<Hit> {
    for (const { known, place } of knownIn(workflow, around)) if (known.isArchived) yield place;
  },
});

const ambiguous = rule({
  id: 'SEC-045',
  severity: 'medium',
  confidence: 'high',
  title: 'Ambiguous ref: branch and tag',
  description:
    'The repository of the action has a branch and a tag of this name. Reviewers cannot tell which one runs, and ' +
    'whoever can push to the branch may run code other than the tag.',
  fix: 'Pin the full commit SHA, with the version as a comment.',
  reference: thirdParty,
  *find(workflow, around): Iterable<Hit> {
    for (const { use, known, place } of knownIn(workflow, around))
      if (known.isBranchAndTag) yield { ...place, detail: `“${use.ref}” is the name of both.` };
  },
});

/** Rules that need an answer of the platform; without one they are silent. */
export const onlineRules: readonly Rule[] = [vulnerable, impostor, otherVersion, archived, ambiguous];
