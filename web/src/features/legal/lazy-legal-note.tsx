import { lazyPart } from '../../ui/lazy';

export const LegalNote = lazyPart(() => import('./legal-note'));
