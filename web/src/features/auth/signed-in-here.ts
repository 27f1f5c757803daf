import { persist, readPersisted } from '../../ui/persisted-state';

const STORAGE_KEY = 'signed-in-here';

/** Whether anybody has ever been signed in with this browser. */
export const wasSignedInHere = () => readPersisted(STORAGE_KEY) !== null;

export const noteSignedIn = () => persist(STORAGE_KEY, 'yes');
