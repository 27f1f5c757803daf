/** Mails to many at once wait for those that somebody is waiting for: see JobOptions.priority. */
export const LATER = 10;
