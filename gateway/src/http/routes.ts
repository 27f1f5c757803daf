import { DomainError } from '@meetmark/contracts';
import { PARAMETER_LENGTH } from './server.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface ListedRoute {
  method: string;
  path: string;
  access: string;
  limit: string | null;
}

export const ANYTHING = '/*';

/** Throws for a route without @Access(), so that the gateway never starts with an open route by mistake. */
export class RouteInventory {
  readonly routes: ListedRoute[] = [];
  private readonly fixed = new Map<string, string[]>();
  private readonly patterns: { pattern: RegExp; method: string }[] = [];

  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      const { access, anonymous, network, door } = route.config ?? {};
      for (const method of [route.method].flat()) {
        if (access === undefined) throw new Error(`${method} ${route.url} has no access rule: add @Access()`);
        if (access === 'manager' && !route.url.includes('/:id'))
          throw new Error(`${method} ${route.url} has no event: name its path parameter :id`);
        if (anonymous && network === undefined)
          throw new Error(`${method} ${route.url} has no limit per network: add @SameForAll()`);
        const limit = door ? 'door' : network === undefined ? 'anonymous' : network;
        this.routes.push({ method, path: route.url, access, limit });
        this.remember(method, route.url);
      }
      route.bodyLimit ??= route.config?.bodyLimit;
    });
  }

  check(isPage: (path: string) => boolean): (request: FastifyRequest) => void {
    return (request) => {
      const methods = this.findOtherMethods(request);
      if (methods === null) return;
      const [path = ''] = request.url.split('?', 1);
      const allow = methods.length === 0 && isPage(path) ? ['GET', 'HEAD'] : methods;
      throw allow.length === 0
        ? new DomainError('NOT_FOUND')
        : new DomainError('METHOD_NOT_ALLOWED', { allow });
    };
  }

  /**
   * Returns the methods that the path supports, or null if it supports the request's method. Empty if the
   * path is unknown. A fixed path counts even if the router matched a parameter (DELETE /api/events/public).
   */
  private findOtherMethods({ method, url, is404, routeOptions }: FastifyRequest): string[] | null {
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
