import type { EventMessage } from '@meetmark/contracts';
import english from './catalogues/en-US/messages.json' with { type: 'json' };
import { said } from './say';

export const { messagesText } = said<
  typeof english,
  {
    messagesText: {
      chosenNames: [names: string, count: number];
      segmentWith: [name: string, count: string];
      outcomes: {
        sent: [sent: number, recipients: number];
        refused: [refused: number];
        skipped: [skipped: number];
      };
      open: [subject: string];
      question: [subject: string];
      sendAtZone: [zone: string];
      send: [count: string];
      scheduledFor: [moment: string];
      followUpSubject: [title: string];
      followUpBody: [title: string, url: string];
    };
  }
>(english);

const NAMED = 5;

/** Who is chosen: all of them by name, or the first. */
export const chosenNames = (names: string[]) =>
  names.length <= NAMED
    ? names.join(', ')
    : messagesText.chosenNames(names.slice(0, NAMED - 1).join(', '), names.length - NAMED + 1);

export function outcomeOf({ state, recipients, sent, refused, skipped }: EventMessage): string {
  const { outcomes, none } = messagesText;
  if (state === 'draft' || state === 'scheduled' || state === 'cancelled') return none;
  if (state === 'sent' && recipients === 0) return outcomes.nobody;
  const parts = [
    outcomes.sent(sent, recipients),
    ...(refused > 0 ? [outcomes.refused(refused)] : []),
    ...(skipped > 0 ? [outcomes.skipped(skipped)] : []),
  ];
  return parts.join(', ');
}
