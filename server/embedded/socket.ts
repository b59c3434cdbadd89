import { Duplex } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';

/** What `pg` takes for a network socket; the bytes go to the worker thread that owns the embedded database. */
export class EmbeddedSocket extends Duplex {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (bytes: Uint8Array) => this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    port.on('close', () => this.push(null));
  }

  connect(): this {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.#send(Uint8Array.from(chunk));
    done();
  }

  /** What `pg` holds back until it is whole, such as the five messages of a statement, wakes the other thread once. */
  override _writev(writes: { chunk: Buffer }[], done: () => void) {
    this.#send(Uint8Array.from(Buffer.concat(writes.map(({ chunk }) => chunk))));
    done();
  }

  #send(bytes: Uint8Array<ArrayBuffer>) {
    this.#port.postMessage(bytes, [bytes.buffer]);
  }

  override _final(done: () => void) {
    this.#port.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void) {
    this.#port.close();
    done(error);
  }

  /** `pg` tunes its socket; there is nothing to tune here. */
  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    this.#port.ref();
    return this;
  }

  unref(): this {
    this.#port.unref();
    return this;
  }
}
