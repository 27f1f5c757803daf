const STORAGE_KEY = 'signed-in-here';

/** Whether anybody has ever been signed in with this browser. */
export const wasSignedInHere = () => localStorage.getItem(STORAGE_KEY) !== null;

export const noteSignedIn = () => localStorage.setItem(STORAGE_KEY, 'yes');
