import { relative } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/** @tremor/react does not declare `sideEffects: false`: without this, one import of it brings the whole library. */
const tremorTreeShake: Plugin = {
  name: 'tremor-tree-shake',
  transform: {
    filter: { id: /node_modules\/@tremor\/react\// },
    handler: (code) => ({ code, map: null, moduleSideEffects: false }),
  },
};

/** What the interactive chart is drawn with in the browser, a fifth as large as React; the server has React itself. */
const inBrowser: Record<string, string> = {
  react: 'preact/compat',
  'react-dom': 'preact/compat',
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
};

/** What Tremor merges classes with: none of a line chart takes the place of another, so that joining them is enough. */
const joinedClasses = 'export const extendTailwindMerge = () => (...names) => names.filter(Boolean).join(" ");';

const lightChart: Plugin = {
  name: 'light-chart',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (source === 'tailwind-merge') return '\0joined-classes';
    const lighter = inBrowser[source];
    if (!lighter) return null;
    const resolved = await this.resolve(lighter, importer, { skipSelf: true });
    return resolved ?? this.error(`${lighter} is not installed.`);
  },
  load: (id) => (id === '\0joined-classes' ? joinedClasses : null),
};

/** Stops the browser build when anything that reaches the browser still imports a server room; `domain` is for both. */
const serverWall = (): Plugin => {
  let root = process.cwd();
  const inHouse = (id: string) => relative(root, id.split('?')[0] ?? id).replaceAll('\\', '/');
  return {
    name: 'server-wall',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    configResolved(config) {
      root = config.root;
    },
    async resolveId(source, importer, options) {
      if (!importer || importer.includes('/node_modules/') || !/^[./~@]/.test(source)) return null;
      const target = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (!target || !/^(server(?!\/domain\/)|jobs|migrations)\//.test(inHouse(target.id))) return null;
      return this.error(
        `${inHouse(importer)} brings ${inHouse(target.id)} into the browser. ` +
          'Server code may be used only in loader, action, middleware and headers of a route; elsewhere use `import type`.',
      );
    },
  };
};

/**
 * The server is one file with its packages: to find and load 1,400 files takes longer than all else of a start. Left out
 * are packages that load files of their own beside them.
 */
const bundled = { noExternal: true as const, external: ['@electric-sql/pglite', 'pino'] };

export default defineConfig(({ command }) => ({
  plugins: [serverWall(), tailwindcss(), reactRouter(), tremorTreeShake],
  build: { target: 'es2022' },
  // Scripts of pages are entries of their own, which load parts when they are wanted.
  worker: { format: 'es', plugins: () => [tremorTreeShake, lightChart] },
  environments: {
    ssr: {
      resolve: command === 'build' ? bundled : { noExternal: ['@tremor/react'] },
      build: { rolldownOptions: { input: './server/main.ts' } },
    },
  },
}));
