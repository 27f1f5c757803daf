import { keep, kept } from '../../ui/kept';

const STORAGE_KEY = 'signed-in-here';

/** Whether anybody has ever been signed in with this browser. */
export const wasSignedInHere = () => kept(STORAGE_KEY) !== null;

export const noteSignedIn = () => keep(STORAGE_KEY, 'yes');
