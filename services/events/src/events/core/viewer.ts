import type { Identity } from '@meetmark/contracts';

/** Null for visitors, and for responses that are the same for everyone. */
export type Viewer = Pick<Identity, 'sub' | 'isAdmin' | 'isOrganiser'> | null;
