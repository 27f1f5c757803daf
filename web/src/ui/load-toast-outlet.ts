import { part } from './load-part';

/** What shows toasts: a file of its own, which no first screen waits for. */
export const toastOutlet = part(async () => (await import('./toast-outlet')).default, { quiet: true });
