import type { FastifyInstance } from 'fastify';

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

  watch(server: FastifyInstance): void {
    server.addHook('onRoute', (route) => {
      const access = route.config?.access;
      for (const method of [route.method].flat()) {
        if (access === undefined)
          throw new Error(`${method} ${route.url} does not say who may call it: add @Access()`);
        this.routes.push({ method, path: route.url, access });
      }
      route.bodyLimit ??= route.config?.bodyLimit;
    });
  }
}
