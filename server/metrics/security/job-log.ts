import type { Instant } from '../kernel/facts.ts';
import { type LogLine, logLines } from './log-lines.ts';

/** What a line of a log says that was downloaded. */
export interface Download {
  actionKey: string;
  ref: string;
  /** Of an image its digest. */
  commit: string;
  /** Of an action that is published as an immutable package, that of the package; null for all others. */
  digest: string | null;
  at: Instant;
  /** Whether it stands within a step, where a step could have written it itself. */
  isInStep: boolean;
  /** Whether the line was not written while the job ran, by its own clock. */
  isAtOtherTime: boolean;
}

/** What is known of the log of a job. */
export interface JobLog {
  downloads: Download[];
  /** Whether these are all actions that the job downloaded. */
  isComplete: boolean;
}

/** What the head of a log says that the job was granted. */
export interface JobGrants {
  /** Scopes of its token, as workflow files write them; null where the head does not say it. */
  permissions: Record<string, 'read' | 'write'> | null;
  /** Whose secrets it was given, such as `Actions` or `Dependabot`, `None` for none; null where the head does not say it. */
  secretSource: string | null;
}

/** When the job ran, by the platform's clock. */
export interface JobTimes {
  startedAt: Instant;
  completedAt: Instant;
}

/**
 * Where a line of the log stands. `start`: before the runner resolves actions. `actions`: it lists what it downloads,
 * and nothing that a person wrote can stand there. `set-up`: the rest before the first step, in which it pulls images.
 * `steps`: from there on anybody may have written a line.
 */
type Part = 'start' | 'actions' | 'set-up' | 'steps';

/** How far the clock of a runner may be from the platform's. */
const clockMs = 60_000;
/** More than a job uses. */
const maxDownloads = 1000;

/** Reads from a job's log what the job downloaded: nothing else of it is stored. */
export class JobLogReader {
  readonly #times: JobTimes;
  readonly #lines = logLines((line) => this.#read(line));
  readonly #found = new Map<string, Download>();
  /** Lines within steps of which it is not known yet whether they belong to a local action. */
  #loose: Download[] = [];
  #part: Part = 'start';
  #step: 'other' | 'path' | 'local' = 'other';
  #hasStart = false;
  #hasEnd = false;
  /** Whether what looks like a download could not be read, or cannot be distinguished from what a step wrote. */
  #isDoubtful = false;
  #lastAt: Instant;
  #openPackage: { name: string; digest: string | null } | null = null;
  #pulled: string | null = null;
  #isInGrants = false;
  readonly #grants: JobGrants = { permissions: null, secretSource: null };

  constructor(times: JobTimes) {
    this.#times = times;
    this.#lastAt = times.startedAt;
  }

  /** Answers false once enough was read. */
  push(chunk: Uint8Array): boolean {
    return this.#lines.push(chunk);
  }

  end(): JobLog {
    const { isWhole } = this.#lines.end();
    if (this.#loose.length > 0 || this.#openPackage !== null) this.#isDoubtful = true;
    const isToTheEnd =
      this.#hasEnd && !this.#isAtOtherTime(this.#lastAt) && this.#lastAt >= this.#times.completedAt - clockMs;
    return {
      downloads: [...this.#found.values()],
      isComplete: isWhole && this.#hasStart && isToTheEnd && !this.#isDoubtful,
    };
  }

  /** What the runner was granted, as it says before anything else could write a line. */
  grants(): JobGrants {
    return this.#grants;
  }

  #readGrants(text: string): void {
    const [, source] = /^Secret source: (\w+)$/.exec(text) ?? [];
    if (source !== undefined) this.#grants.secretSource ??= source;
    if (text === '##[group]GITHUB_TOKEN Permissions') {
      this.#isInGrants = this.#grants.permissions === null;
      this.#grants.permissions ??= {};
    } else if (text === '##[endgroup]') this.#isInGrants = false;
    const [, scope, access] = /^([A-Za-z]{1,40}): (read|write)$/.exec(text) ?? [];
    if (!this.#isInGrants || !this.#grants.permissions || scope === undefined) return;
    const name = scope.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
    this.#grants.permissions[name] = access === 'write' ? 'write' : 'read';
  }

  #isAtOtherTime(at: Instant): boolean {
    return at < this.#times.startedAt - clockMs || at > this.#times.completedAt + clockMs;
  }

  #read({ at, text }: LogLine): void {
    this.#lastAt = at ?? this.#lastAt;
    if (!this.#hasStart) this.#readStart(text);
    if (this.#hasStart && this.#part === 'start') this.#readGrants(text);
    if (this.#hasEnd && !isAfterEnd.test(text)) this.#isDoubtful = true;
    if (text === endOfJob) this.#hasEnd = true;
    if (text.startsWith(stepHead)) this.#beginStep(/^[.$]\//.test(text.slice(stepHead.length)));
    else if (this.#step === 'path') this.#readHead(text);
    if (this.#part === 'start' && text === resolving) this.#part = 'actions';
    const isDownload = this.#readRepository(text) || this.#readPackage(text);
    if (this.#part === 'actions' && !isDownload && !isAmongDownloads.test(text)) this.#part = 'set-up';
    if (this.#part === 'start' && text.startsWith('Complete job name: ')) this.#part = 'set-up';
    // Values of inputs, what a container says, and what is printed while an image is built are written by others.
    if (isWrittenByOthers.test(text)) this.#part = 'steps';
    if (this.#part === 'set-up') this.#readImage(text);
  }

  /** Where the head of a log is missing, nothing tells what a step wrote. */
  #readStart(text: string): void {
    if (text.startsWith('Current runner version: ')) this.#hasStart = true;
    else if (!isBeforeStart.test(text)) {
      this.#hasStart = true;
      this.#isDoubtful = true;
      this.#part = 'steps';
    }
  }

  /** What begins with a path is a local action, or a script such as `./gradlew`: the rest of the head tells which. */
  #beginStep(isPath: boolean): void {
    if (!isPath) this.#dropLoose();
    this.#step = isPath ? 'path' : 'other';
    this.#part = 'steps';
  }

  #readHead(text: string): void {
    if (text.startsWith('shell: ')) {
      this.#dropLoose();
      this.#step = 'other';
    } else if (text === '##[endgroup]') {
      for (const one of this.#loose) this.#keep(one);
      this.#loose = [];
      this.#step = 'local';
    }
  }

  #dropLoose(): void {
    if (this.#loose.length > 0) this.#isDoubtful = true;
    this.#loose = [];
  }

  #keep(one: Download): void {
    const key = `${one.actionKey} ${one.ref} ${one.commit} ${one.isInStep}`;
    if (this.#found.size < maxDownloads) this.#found.set(key, one);
    else this.#isDoubtful = true;
    if (one.isAtOtherTime) this.#isDoubtful = true;
  }

  #note(name: string, commit: string, digest: string | null): void {
    const [, actionKey, ref] = /^([\w-]+\/[\w.-]+)(?:\/[^@\s]*)?@([^\s\p{Cc}]{1,255})$/u.exec(name) ?? [];
    if (actionKey === undefined || ref === undefined || !isCommit.test(commit)) {
      this.#isDoubtful = true;
      return;
    }
    const isInStep = this.#part !== 'actions';
    const one = {
      actionKey: actionKey.toLowerCase(),
      ref: isCommit.test(ref) ? ref.toLowerCase() : ref,
      commit: commit.toLowerCase(),
      digest,
      at: this.#lastAt,
      isInStep,
      isAtOtherTime: this.#isAtOtherTime(this.#lastAt),
    };
    if (!isInStep || this.#step === 'local') this.#keep(one);
    else if (this.#loose.length < maxDownloads) this.#loose.push(one);
  }

  /** Answers whether the line is one about an action. */
  #readRepository(text: string): boolean {
    const [, name, commit] = /^Download action repository (.*?)(?: \(SHA:(.*)\))?$/s.exec(text) ?? [];
    if (name === undefined) return false;
    this.#note(unquoted(name), commit ?? '', null);
    return true;
  }

  /** Likewise of one that is published as an immutable package, which has several lines. */
  #readPackage(text: string): boolean {
    const [, name] = /^##\[group\]Download immutable action package (.*)$/s.exec(text) ?? [];
    if (name !== undefined) {
      if (this.#openPackage !== null) this.#isDoubtful = true;
      this.#openPackage = { name: unquoted(name), digest: null };
      return true;
    }
    if (this.#openPackage === null) return false;
    const [, digest] = /^Digest: (sha256:[0-9a-f]{64})$/.exec(text) ?? [];
    if (digest !== undefined) this.#openPackage.digest = digest;
    if (/^(?:Version|Digest): /.test(text)) return true;
    const [, source = ''] = /^Source commit SHA: (.*)$/s.exec(text) ?? [];
    this.#note(this.#openPackage.name, source, this.#openPackage.digest);
    this.#openPackage = null;
    return source !== '';
  }

  #readImage(text: string): void {
    const [, image] = /^##\[command\]\S*docker (?:--config \S+ )?pull (\S+)$/.exec(text) ?? [];
    if (image !== undefined) this.#pulled = image;
    const [, digest] = /^Digest: (sha256:[0-9a-f]{64})$/.exec(text) ?? [];
    const [, name, tag = 'latest'] = /^([^\s@]+?)(?::([\w][\w.-]*))?(?:@\S+)?$/.exec(this.#pulled ?? '') ?? [];
    if (digest === undefined || name === undefined) return;
    this.#keep({
      actionKey: `docker://${name.toLowerCase()}`,
      ref: tag,
      commit: digest,
      digest: null,
      at: this.#lastAt,
      isInStep: false,
      isAtOtherTime: this.#isAtOtherTime(this.#lastAt),
    });
    this.#pulled = null;
  }
}

const isCommit = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i;
const stepHead = '##[group]Run ';
const resolving = 'Getting action download info';
const isAmongDownloads =
  /^(?:Getting action download info$|Prepare all required actions$|##\[warning\]|##\[endgroup\]$|$)/;
const isWrittenByOthers = /^##\[group\] ?Inputs$|^##\[command\]\S*docker (?:--config \S+ )?(?:build|logs|exec|run) /;
/** Where a text of several lines could stand in a condition, its quotes must be closed. */
const isBeforeStart =
  /^(?:Requested labels: |Job defined at: |Reusable workflow chain:$|(?:-> )?[^\s/]+\/[^\s/]+\/\.github\/workflows\/[^@]+@\S+ \([0-9a-f]{40}\)$|Evaluating [\w.-]+\.if$|(?:Evaluating|Expanded): (?:[^']|'[^']*')*$|Result: (?:true|false)$|Waiting for a runner|All GitHub-hosted runners |Job is |Runner |$)/;
const endOfJob = 'Cleaning up orphan processes';
const isAfterEnd = /^(?:Terminate orphan process: |##\[warning\]|$)/;

const unquoted = (text: string): string => /^'(.*)'$/s.exec(text)?.[1] ?? text;
