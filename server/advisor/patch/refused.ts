import { formatPath, type PatchRefusal, type RefusalCode, type YamlPath } from './change.ts';
import type { Source } from './source.ts';

/** Ends the making of a patch: the file is not changed where that is not safe. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly path: YamlPath | null;
  /** Of the file. */
  readonly offsets: readonly number[];

  constructor(code: RefusalCode, text: string, path: YamlPath | null = null, offsets: readonly number[] = []) {
    super(text);
    this.code = code;
    this.path = path;
    this.offsets = offsets;
  }

  toWireReason({ lines }: Source): PatchRefusal {
    return {
      code: this.code,
      text: this.message,
      path: this.path && formatPath(this.path),
      lines: [...new Set(this.offsets.map((offset) => lines.of(offset)))].sort((one, other) => one - other),
    };
  }
}
