import type { EventMessage } from '@meetmark/contracts';
import { messagesText } from '@meetmark/i18n/texts/messages';

const NAMED = 5;

export const chosenNames = (names: string[]) =>
  names.length <= NAMED
    ? names.join(', ')
    : messagesText.chosenNames({
        names: names.slice(0, NAMED - 1).join(', '),
        count: names.length - NAMED + 1,
      });

export function formatOutcome({ state, recipients, sent, refused, skipped }: EventMessage): string {
  const { outcomes, none } = messagesText;
  if (state === 'draft' || state === 'scheduled' || state === 'cancelled') return none;
  if (state === 'sent' && recipients === 0) return outcomes.nobody;
  const parts = [
    outcomes.sent({ sent, recipients }),
    ...(refused > 0 ? [outcomes.refused({ refused })] : []),
    ...(skipped > 0 ? [outcomes.skipped({ skipped })] : []),
  ];
  return parts.join(', ');
}
