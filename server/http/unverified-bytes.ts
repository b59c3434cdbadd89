import { Problem } from '../platform/problem.ts';

/** All bodies together that may be in memory before it is known who sent them; a single one is at most 5 MiB. */
const maxBytes = 64 * 1024 * 1024;
const retryAfterS = 10;

let held = 0;

/** The bytes of a body whose sender is not known yet, counted with those of all other such bodies. */
export class UnverifiedBytes {
  #size = 0;

  /** @throws Problem `rate_limited` where there is no room for more. */
  add(bytes: number): void {
    if (held + bytes > maxBytes)
      throw new Problem('rate_limited', `Too many deliveries at once. Try again in ${retryAfterS} s.`, {
        details: { retry_after_s: retryAfterS },
      });
    held += bytes;
    this.#size += bytes;
  }

  /** To be called once the sender is known, or the body was rejected or broke off. */
  release(): void {
    held -= this.#size;
    this.#size = 0;
  }
}
