import { lastOnRetiredRuntime, runtimeRetiredOn } from '../action-runtimes.ts';
import { getVersion, needsTag, usedIn } from '../actions.ts';
import { type Hit, type Rule, rule } from '../rule.ts';
import { retiredImages } from '../runner-images.ts';
import { listLabels } from '../runners.ts';
import type { YamlScalar } from '../yaml.ts';

const pinning = 'https://docs.github.com/en/actions/reference/security/secure-use#using-third-party-actions';

const branch = rule({
  id: 'SEC-006',
  severity: 'high',
  confidence: 'high',
  title: 'Action pinned to a branch',
  description:
    'Whatever is pushed to that branch runs here next, unreviewed, with the secrets and the token of the job. Two ' +
    'runs of the same commit can differ.',
  fix: 'Pin the full commit SHA of a reviewed version, with the version as a comment.',
  reference: pinning,
  *find(workflow): Iterable<Hit> {
    for (const { scalar, uses, ...where } of usedIn(workflow)) {
      const { ref, isSha, isVersion } = uses;
      if (ref === null || isSha || isVersion) continue;
      const isBranch = /^((refs\/)?heads\/.*|main|master|trunk|develop|dev|head|latest|stable|nightly|next)$/i.test(
        ref,
      );
      yield {
        ...where,
        offset: scalar.offset,
        confidence: isBranch ? 'high' : 'medium',
        detail: `“${ref}” is ${isBranch ? 'a moving branch or tag' : 'neither a commit nor a version'}.`,
      };
    }
  },
});

const movableTag = rule({
  id: 'SEC-014',
  severity: 'medium',
  confidence: 'high',
  title: 'Action not pinned to a commit SHA',
  description:
    'Whoever controls or takes over the repository of the action can move a tag or a version branch to other code, ' +
    'which then runs with the secrets and the token of the job.',
  fix: 'Pin the full commit SHA, with the version as a comment, and let Dependabot update it.',
  reference: pinning,
  *find(workflow): Iterable<Hit> {
    for (const { scalar, uses, ...where } of usedIn(workflow)) {
      if (!uses.isVersion || uses.isSha || needsTag(uses)) continue;
      yield { ...where, offset: scalar.offset, ...(uses.isPlatformOwned ? { severity: 'info' } : {}) };
    }
  },
});

const image = rule({
  id: 'SEC-015',
  severity: 'medium',
  confidence: 'high',
  title: 'Container image not pinned to a digest',
  description: 'A tag can be moved to another image at any time, which then runs with all permissions of the job.',
  fix: 'Add the digest: `name:tag@sha256:…`.',
  reference: 'https://docs.docker.com/dhi/core-concepts/digests/',
  *find(workflow): Iterable<Hit> {
    for (const { scalar, uses, ...where } of usedIn(workflow))
      if (uses.kind === 'docker') yield* imageHits(uses.image, scalar, where);
    for (const job of workflow.jobs)
      for (const one of [...(job.container ? [job.container] : []), ...job.services])
        if (one.image) yield* imageHits(one.image.value, one.image, { job });
  },
});

function* imageHits(text: string, { offset }: YamlScalar, where: Partial<Hit>): Generator<Hit> {
  const name = text.trim().slice(0, 500);
  const isComputed = /^\$\{\{[^}]*\}\}$|@\$\{\{|^\$\{\{[^}]*(&&|\|\|)/.test(name);
  const isLocal = /^(localhost|127\.0\.0\.1|registry\.local)[:/]/.test(name);
  if (name === '' || isComputed || isLocal || name.includes('@sha')) return;
  const tag = /:([^/]*)$/.exec(name.replace(/\$\{\{.*?\}\}/g, 'x'))?.[1];
  if (name.includes('${{') && tag === undefined) return;
  if (tag !== undefined && tag !== 'latest')
    yield { ...where, offset, ...(name.includes('${{') ? { confidence: 'medium' } : {}) };
  else
    yield {
      ...where,
      offset,
      severity: 'high',
      detail: tag ? 'It uses the tag “latest”.' : 'It has no tag, so “latest” is used.',
    };
}

const outdated = rule({
  id: 'SEC-033',
  severity: 'info',
  confidence: 'high',
  title: 'Retired runner image or action runtime',
  description:
    'GitHub no longer supports the image, or the runtime of this version of the action. Jobs may never start, or ' +
    'run without security updates.',
  fix: 'Use a supported image, and the latest major version of the action.',
  reference: 'https://docs.github.com/en/actions/reference/runners/github-hosted-runners',
  *find(workflow): Iterable<Hit> {
    for (const job of workflow.jobs)
      for (const label of listLabels(job)) {
        const base = label.value.toLowerCase().replace(/-(xlarge|large|arm64|arm)$/, '');
        const day = Object.hasOwn(retiredImages, base) ? retiredImages[base] : undefined;
        if (day) yield { offset: label.offset, job, detail: `The image “${base}” was retired on ${day}.` };
      }
    for (const { scalar, uses, ...where } of usedIn(workflow)) {
      const name = [uses.owner, uses.repo, uses.path].filter((part) => part !== '').join('/');
      const last = Object.hasOwn(lastOnRetiredRuntime, name) ? lastOnRetiredRuntime[name] : undefined;
      const [major] = getVersion(workflow, scalar) ?? [];
      if (last === undefined || major === undefined || major > last) continue;
      const detail = `Versions up to ${last} need a runtime that was retired by ${runtimeRetiredOn}.`;
      yield { ...where, offset: scalar.offset, detail };
    }
  },
});

export const pinRules: readonly Rule[] = [branch, movableTag, image, outdated];
