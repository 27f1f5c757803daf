import type { Manifest } from '../render.js';

/** Lines of the checklist, each a function from manifests to what is wrong with them, so that each can be shown to fail. */
export type Rules = Record<string, (manifests: Manifest[]) => string[]>;
