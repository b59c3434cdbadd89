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
  title: 'Action has a known vulnerability',
  description: 'A published advisory names the version that is used here, so how to attack it is known too.',
  fix: 'Use a version that the advisory does not name; read it, because secrets may have to be replaced.',
  reference: 'https://github.com/advisories?query=type%3Areviewed+ecosystem%3Aactions',
  *find(workflow, around): Iterable<Hit> {
    for (const { use, known, place } of knownIn(workflow, around)) {
      const version = versionUsed(use.isSha ? '' : use.ref, known.tags ?? []);
      if (version === null) continue;
      const affecting = (known.advisories ?? []).filter(({ range }) => isAffected(version, range));
      const named = affecting.map(({ id, patched }) => (patched === null ? id : `${id} (fixed in ${patched})`));
      if (named.length > 0) yield { ...place, detail: `Version ${version} is named by ${named.join(', ')}.` };
    }
  },
});

const impostor = rule({
  id: 'SEC-035',
  severity: 'critical',
  confidence: 'medium',
  title: 'Commit is not of the repository it is named with',
  description:
    'No branch and no tag of the repository leads to this commit. GitHub also finds commits of forks under the ' +
    'name of the original, so anyone with a fork can have written it; or the branch it was on is gone.',
  fix: 'Name the commit of a released version, and find out how this one came here.',
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
  title: 'Comment names another version than the commit',
  description: 'A reader takes the comment for what runs, and a bot that raises versions starts from it.',
  fix: 'Name the commit of the version in the comment, or the version of the commit.',
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
  title: 'Action is archived',
  description: 'Its repository was closed for changes: what is wrong with it, or breaks from now on, stays so.',
  fix: 'Use an action that is looked after, or do the same with commands of your own.',
  reference: 'https://docs.github.com/en/repositories/archiving-a-github-repository/archiving-repositories',
  *find(workflow, around): Iterable<Hit> {
    for (const { known, place } of knownIn(workflow, around)) if (known.isArchived) yield place;
  },
});

const ambiguous = rule({
  id: 'SEC-045',
  severity: 'medium',
  confidence: 'high',
  title: 'Ref is a branch and a tag at once',
  description:
    'The repository of the action has a branch and a tag of this name. Who reads the file cannot tell which one ' +
    'runs, and who may push to the branch may run other code than the tag promises.',
  fix: 'Name the full commit id, with the version as a comment.',
  reference: thirdParty,
  *find(workflow, around): Iterable<Hit> {
    for (const { use, known, place } of knownIn(workflow, around))
      if (known.isBranchAndTag) yield { ...place, detail: `“${use.ref}” is the name of both.` };
  },
});

/** Rules that need an answer of the platform; without one they are silent. */
export const onlineRules: readonly Rule[] = [vulnerable, impostor, otherVersion, archived, ambiguous];
