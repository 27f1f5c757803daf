import { routeTraits, type RouteTraits } from '../http/route.js';

/** Who may call a route: every route carries one, or the process refuses to start. */
export const Access = (access: RouteTraits['access']) => routeTraits({ access });
