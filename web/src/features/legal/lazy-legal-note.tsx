import { AgainButton, lazyComponent } from '../../ui/lazy';

/** What one agrees to, in a file that comes after the form above it. */
export const LegalNote = lazyComponent(() => import('./legal-note'), {
  Failed: AgainButton,
  waiting: null,
});
