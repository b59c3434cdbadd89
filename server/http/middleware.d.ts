// What the HTTP server uses of its packages: the published types of the middlewares bring those of a whole framework, those
// of `negotiator` lack the order of preference.

declare module 'compression' {
  const compression: () => import('./static-files.ts').Middleware;
  export = compression;
}

declare module 'serve-static' {
  import type { ServerResponse } from 'node:http';

  interface Options {
    index: false;
    redirect: false;
    setHeaders(response: ServerResponse): void;
  }
  const serveStatic: (folder: string, options: Options) => import('./static-files.ts').Middleware;
  export = serveStatic;
}

declare module 'negotiator' {
  class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** The coding of `available` with the highest weight; of several the first of `preferred`. */
    encoding<Coding extends string>(available: readonly Coding[], preferred: readonly Coding[]): Coding | undefined;
  }
  export = Negotiator;
}
