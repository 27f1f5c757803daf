import { DomainError } from '@meetmark/contracts';
import { PARAMETER_LENGTH } from './server.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface ListedRoute {
  method: string;
  path: string;
  access: string;
  /** What a visitor's network has for it; null for files. */
  limit: string | null;
}

/** The route of pages and files. */
export const ANYTHING = '/*';

/**
 * Lists every route of the server, also those of plugins, and refuses a route without @Access(): a forgotten mark stops the start
 * instead of opening the route to everybody.
 */
export class RouteInventory {
  readonly routes: ListedRoute[] = [];
  /** Path without parameters to its methods. */
  private readonly fixed = new Map<string, string[]>();
  private readonly patterns: { pattern: RegExp; method: string }[] = [];

  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      const { access, anonymous, network, door } = route.config ?? {};
      for (const method of [route.method].flat()) {
        if (access === undefined)
          throw new Error(`${method} ${route.url} does not say who may call it: add @Access()`);
        if (access === 'manager' && !route.url.includes('/:id'))
          throw new Error(`${method} ${route.url} does not say of which event: name it :id`);
        if (anonymous && network === undefined)
          throw new Error(
            `${method} ${route.url} does not say what a network may ask for: add @SameForAll()`,
          );
        const limit = door ? 'door' : network === undefined ? 'anonymous' : network;
        this.routes.push({ method, path: route.url, access, limit });
        this.remember(method, route.url);
      }
      route.bodyLimit ??= route.config?.bodyLimit;
    });
  }

  /** Answers 404 or, with the methods that the path takes, 405, whatever the body is. @param isPage whether the site has this page */
  check(isPage: (path: string) => boolean): (request: FastifyRequest) => void {
    return (request) => {
      const methods = this.methodsInsteadOf(request);
      if (methods === null) return;
      const [path = ''] = request.url.split('?', 1);
      const allow = methods.length === 0 && isPage(path) ? ['GET', 'HEAD'] : methods;
      throw allow.length === 0
        ? new DomainError('NOT_FOUND')
        : new DomainError('METHOD_NOT_ALLOWED', { allow });
    };
  }

  /**
   * The methods of a path that does not take the method of the request; also where the parameter of another route matches
   * (DELETE /api/events/public). Null if the request fits, empty if there is no such path.
   */
  private methodsInsteadOf({ method, url, is404, routeOptions }: FastifyRequest): string[] | null {
    const matched = is404 ? undefined : routeOptions.url;
    if (matched === url) return null;
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
    const pattern = path.replaceAll('.', '\\.').replaceAll(/:\w+/g, `[^/]{1,${PARAMETER_LENGTH}}`);
    this.patterns.push({ pattern: new RegExp(`^${pattern}$`), method });
  }
}

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);
