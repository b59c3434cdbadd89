import type { EmbeddedDatabase } from '../../server/embedded/database.ts';
import type { EmbeddedSocket } from '../../server/embedded/socket.ts';

/** What happens to a service at one of its next messages to the database. */
export interface Cut {
  /** How many messages pass before. */
  after: number;
  /** Whether the database still handles the message, whose answer is lost then. */
  isHandled: boolean;
  /** The process ends with it; otherwise only its connection. */
  kills: boolean;
}

/** The way of one process to a database that outlives it. */
export interface Life {
  openMemory: () => Promise<EmbeddedDatabase>;
  /** null takes it back. */
  plan(cut: Cut | null): void;
  /** Whether the cut that was planned last has happened. */
  readonly wasCut: boolean;
  readonly isDead: boolean;
  /** Resolves when the process is killed. */
  killed: Promise<void>;
}

/** Begins the life of a process on a database in memory. What is killed stays cut off, whatever its code still does. */
export function beginLife(database: EmbeddedDatabase): Life {
  const { promise: killed, resolve: die } = Promise.withResolvers<void>();
  const sockets = new Set<EmbeddedSocket>();
  let cut: Cut | null = null;
  let [wasCut, isDead] = [false, false];
  const lose = (socket: EmbeddedSocket) =>
    socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  const connect = () => {
    const socket = database.connect();
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    if (isDead) return lose(socket);
    // Messages that are sent at once pass one by one here: a statement may be cut off between them.
    Object.assign(socket, { _writev: undefined });
    const send = socket._write.bind(socket);
    socket._write = (chunk, encoding, done) => {
      if (!cut || cut.after-- > 0) return send(chunk, encoding, done);
      const { isHandled, kills } = cut;
      [cut, wasCut, isDead] = [null, true, kills];
      if (isHandled) send(chunk, encoding, () => undefined);
      for (const one of kills ? sockets : [socket]) lose(one);
      if (kills) die();
    };
    return socket;
  };
  return {
    // The database is closed by whoever opened it.
    openMemory: async () => ({ connect, close: async () => undefined }),
    plan(planned) {
      cut = planned && { ...planned };
      wasCut = false;
    },
    get wasCut() {
      return wasCut;
    },
    get isDead() {
      return isDead;
    },
    killed,
  };
}
