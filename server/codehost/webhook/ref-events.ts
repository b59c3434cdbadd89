import { z } from 'zod';
import type { RefNotice } from '../../metrics/security/ref-notice.ts';

/** What a webhook says of a tag or branch, and of which repository, by the platform's id. */
export interface RefAnnouncement {
  action: string;
  repository: { id: number; owner: string; repo: string };
  notice: RefNotice;
}

const common = {
  repository: z.object({
    id: z.int(),
    full_name: z.string().regex(/^[^/]+\/[^/]+$/, 'is not owner/name'),
  }),
};

const pushEvent = z.object({
  ...common,
  ref: z.string(),
  before: z.string(),
  after: z.string(),
  head_commit: z.object({ id: z.string() }).nullish(),
});
const namedEvent = z.object({ ...common, ref: z.string(), ref_type: z.enum(['branch', 'tag']) });
const releaseEvent = z.object({ ...common, action: z.string(), release: z.object({ tag_name: z.string() }) });

/** null for an event that is about no tag or branch, or does not say about which. */
export function readRefEvent(event: string, payload: object): RefAnnouncement | null {
  if (event === 'push') return readPush(pushEvent.safeParse(payload).data);
  if (event === 'create' || event === 'delete') return readNamed(event, namedEvent.safeParse(payload).data);
  const told = event === 'release' ? releaseEvent.safeParse(payload).data : undefined;
  if (!told) return null;
  const notice = { ref: told.release.tag_name, isBranch: false, push: null };
  return { action: told.action, repository: toRepository(told.repository), notice };
}

function readNamed(action: string, told: z.output<typeof namedEvent> | undefined): RefAnnouncement | null {
  if (!told) return null;
  const notice = { ref: told.ref, isBranch: told.ref_type === 'branch', push: null };
  return { action, repository: toRepository(told.repository), notice };
}

/** A ref that is created, or deleted, leads to no commit before, or after. */
const isNothing = (id: string): boolean => /^0+$/.test(id);

function readPush(told: z.output<typeof pushEvent> | undefined): RefAnnouncement | null {
  if (!told) return null;
  const { ref: written, before, after, head_commit: head, repository } = told;
  const [, kind, ref] = /^refs\/(heads|tags)\/(.+)$/s.exec(written) ?? [];
  if (ref === undefined) return null;
  const target = isNothing(after) ? null : toTarget(after, head?.id ?? null);
  const push = target === undefined ? null : { before: isNothing(before) ? null : before, after: target };
  const notice = { ref, isBranch: kind === 'heads', push };
  return { action: 'push', repository: toRepository(repository), notice };
}

/** A tag with a message is an object of its own, which leads to the commit; undefined where that is not said. */
const toTarget = (after: string, commit: string | null) =>
  commit === null ? undefined : { commit, tagObject: after === commit ? null : after };

function toRepository({ id, full_name: name }: z.output<typeof pushEvent>['repository']) {
  const [owner = '', repo = ''] = name.split('/');
  return { id, owner, repo };
}
