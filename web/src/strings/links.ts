import type { FlowPurpose } from '@meetmark/contracts';
import { catalogue } from './catalogue';
import english from './catalogues/en-US/links.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('links', english);

export const { confirmText, setPasswordText } = texts;

interface LinkWords {
  title: string;
  intro: string;
  act: string;
  acting: string;
  done: string;
  doneHint: string;
}

/** What the page behind a mailed link says, by what the link is for. */
export const linkText: Record<FlowPurpose, LinkWords> = texts.linkText;

export const revertText = {
  ...texts.revertText,
  choose: (email: string) => say(texts.revertText.choose, { email }),
};

export const pendingEmailText = {
  ...texts.pendingEmailText,
  title: (email: string) => say(texts.pendingEmailText.title, { email }),
  toNew: (email: string) => say(texts.pendingEmailText.toNew, { email }),
  toPresent: (email: string) => say(texts.pendingEmailText.toPresent, { email }),
};
