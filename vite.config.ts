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

/** What pages with scripts load beside themselves. Other pages send no scripts, so how theirs are cut weighs nothing. */
const scripted = new Set<string>();
const pagesWithScripts = /\/app\/(root|routes\/(frame|reports))\.tsx/;
const noteScripted: Plugin = {
  name: 'note-scripted',
  applyToEnvironment: (environment) => environment.name === 'client',
  buildEnd() {
    const follow = (id: string) => {
      if (scripted.has(id)) return;
      scripted.add(id);
      this.getModuleInfo(id)?.importedIds.forEach(follow);
    };
    for (const id of this.getModuleIds()) if (pagesWithScripts.test(id)) follow(id);
  },
};

const isPart = (id: string) => scripted.has(id) && /\/app\/.*\.tsx?$/.test(id) && !pagesWithScripts.test(id);

/** Left alone it falls apart into one file for each set of pages that share it, which weighs more. */
const groups = [
  { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
  { name: 'parts', test: isPart },
];

export default defineConfig({
  plugins: [serverWall(), tailwindcss(), reactRouter(), tremorTreeShake, noteScripted],
  build: { target: 'es2022' },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } },
    ssr: { build: { rolldownOptions: { input: './server/main.ts' } } },
  },
});
