import type { Identity } from '@meetmark/contracts';

/** Null for visitors, and for answers that everyone gets. */
export type Viewer = Pick<Identity, 'sub' | 'isAdmin' | 'isOrganiser'> | null;
