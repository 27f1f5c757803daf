import { routeTraits, type RouteTraits } from '../http/route.js';

/** Who may call a route: every route carries one, or the process refuses to start. */
export const Access = (access: RouteTraits['access']) => routeTraits({ access });

/** The caller has proved who they are within the last ten minutes; otherwise 403 FRESH_SIGN_IN_REQUIRED. */
export const FreshSignIn = () => routeTraits({ fresh: true });
