/** What shows toasts: a file of its own, which no first screen waits for. */
export const loadToastOutlet = () => import('./toast-outlet');
