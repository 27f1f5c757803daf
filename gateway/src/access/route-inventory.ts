import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface ListedRoute {
  method: string;
  path: string;
  access: string;
}

/**
 * Watches every route that is added to the server, plugins' routes included, and refuses one that does not say who may
 * call it (0.12): a forgotten mark stops the start instead of opening a door.
 */
export class RouteInventory {
  readonly routes: ListedRoute[] = [];
  /** Path without parameters to its methods. */
  private readonly fixed = new Map<string, string[]>();
  private readonly patterns: { pattern: RegExp; method: string }[] = [];

  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      const access = route.config?.access;
      for (const method of [route.method].flat()) {
        if (access === undefined)
          throw new Error(`${method} ${route.url} does not say who may call it: add @Access()`);
        this.routes.push({ method, path: route.url, access });
        this.remember(method, route.url);
      }
      route.bodyLimit ??= route.config?.bodyLimit;
    });
  }

  /**
   * The methods that a path takes, where the request's is none of them: also where another route's parameter happens to match
   * (DELETE /api/events/public). Null where nothing is wrong, empty where there is no such path.
   */
  methodsInsteadOf({ method, url, is404, routeOptions }: FastifyRequest): string[] | null {
    const matched = is404 ? undefined : routeOptions.url;
    const path = withoutSlash(url.split('?', 1)[0]!);
    if (matched === path) return null;
    const fixed = this.fixed.get(path);
    if (fixed !== undefined) return fixed.includes(method) ? null : fixed;
    if (matched !== undefined && matched !== ANYTHING) return null;
    const methods = this.patterns.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
    if (methods.length > 0) return [...new Set(methods)];
    return is404 ? [] : null;
  }

  private remember(method: string, path: string): void {
    if (path === ANYTHING) return;
    if (!path.includes(':')) return void this.fixed.set(path, [...(this.fixed.get(path) ?? []), method]);
    const pattern = path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+');
    this.patterns.push({ pattern: new RegExp(`^${pattern}$`), method });
  }
}

/** The route of pages and files: what it takes is for the site to say. */
const ANYTHING = '/*';

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
