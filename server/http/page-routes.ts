import { LRUCache } from 'lru-cache';
import { matchRoutes, type RouteObject, type ServerBuild } from 'react-router';

/** What the page at an address takes. */
export interface PageRoute {
  methods: readonly string[];
  /** Largest form, in bytes. */
  bodyLimit: number;
}

const usualBodyLimit = 64 * 1024;

type Routes = ServerBuild['routes'];

/** Finds what the page at an address takes: from its `handle`, else by what its route module exports. */
export function pageRoutes(routes: Routes): (url: URL) => PageRoute {
  const tree = listChildren(routes, undefined);
  // The framework compiles every pattern anew for each path that it matches.
  const matched = new LRUCache<string, { id: string | undefined }>({ max: 1000 });
  const match = (path: string) => {
    const known = matched.get(path) ?? { id: matchRoutes(tree, path)?.at(-1)?.route.id };
    matched.set(path, known);
    return known.id;
  };
  return (url) => {
    const path = url.pathname.replace(/^\/_root\.data$/, '/').replace(/(_?\.data)$/, '');
    const id = match(path);
    const route = id === undefined ? undefined : routes[id];
    if (!route) return { methods: ['GET', 'HEAD'], bodyLimit: usualBodyLimit };
    const { default: component, loader, action } = route.module;
    const handle = route.module.handle as Partial<PageRoute> | undefined;
    // The framework takes a form of an index page for its layout's, unless the query has `index`.
    const takesForms = action !== undefined && (!route.index || url.searchParams.has('index'));
    const methods = [...(component || loader ? ['GET', 'HEAD'] : []), ...(takesForms ? ['POST'] : [])];
    return { methods: handle?.methods ?? methods, bodyLimit: handle?.bodyLimit ?? usualBodyLimit };
  };
}

const listChildren = (routes: Routes, parent: string | undefined): RouteObject[] =>
  Object.values(routes)
    .filter((route) => route?.parentId === parent)
    .map((route) => asRouteObject(routes, route as NonNullable<typeof route>));

function asRouteObject(routes: Routes, { id, path, index, caseSensitive = false }: NonNullable<Routes[string]>) {
  return index ? { id, path, index, caseSensitive } : { id, path, caseSensitive, children: listChildren(routes, id) };
}
