import { RouteConfig } from '@nestjs/platform-fastify';
import type { Access } from '@meetmark/contracts';
import type { BodyKind } from './body.js';

/** What a route says about itself; the hooks read it before the body is touched. */
export interface RouteTraits {
  /** Who may call. A route without it stops the process at start. */
  access: Exclude<Access, 'internal'>;
  /** Bytes; 64 kB unless told otherwise. */
  bodyLimit: number;
  /** What the body must be; JSON unless told otherwise. */
  body: BodyKind;
  /** Called by other sites by design: one-click unsubscribe from a mail program. */
  fromAnywhere: boolean;
  /** Asks for a sign-in, or a new proof of one, within the last ten minutes. */
  fresh: boolean;
  /** Neither counted by the rate limits nor asked who calls: files and pages that are the same for everyone. */
  anonymous: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteTraits> {}
}

const TRAITS = Symbol('route traits');

export const traitsOf = (handler: object): Partial<RouteTraits> =>
  (Reflect.getMetadata(TRAITS, handler) as Partial<RouteTraits> | undefined) ?? {};

/** Adds traits to a route; unlike Nest's RouteConfig it may stand on a method more than once. */
export function routeTraits(traits: Partial<RouteTraits>): MethodDecorator {
  return (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const merged = { ...traitsOf(handler), ...traits };
    Reflect.defineMetadata(TRAITS, merged, handler);
    RouteConfig(merged)(target, name, descriptor);
  };
}
