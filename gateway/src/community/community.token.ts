/** Injects the Community of config/community.json. */
export const COMMUNITY = Symbol('community');
