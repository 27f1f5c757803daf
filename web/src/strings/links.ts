import type { FlowPurpose } from '@meetmark/contracts';
import english from './catalogues/en-US/links.json' with { type: 'json' };
import { said } from './say';

interface LinkWords {
  title: string;
  intro: string;
  act: string;
  acting: string;
  done: string;
  doneHint: string;
}

export const { linkText, confirmText, revertText, pendingEmailText, setPasswordText } = said<
  typeof english & { linkText: Record<FlowPurpose, LinkWords> },
  {
    revertText: { choose: [email: string] };
    pendingEmailText: { title: [email: string]; toNew: [email: string]; toPresent: [email: string] };
  }
>(english);
