// The two middlewares of the HTTP server, as far as it uses them: their published types bring those of a whole framework.

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
