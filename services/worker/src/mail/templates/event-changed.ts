import { button, defineTemplate, paragraph } from '../content.js';
import { eventFacts, type EventFacts } from './event-facts.js';

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  changed: ('title' | 'time' | 'location')[];
  locale: string;
  eventUrl: string;
}

/** That an event takes place at another time or place is news about one's own booking, which cannot be stopped. */
export const isMoved = (changed: Variables['changed']) =>
  changed.includes('time') || changed.includes('location');

const WORDS = { title: 'title', time: 'time', location: 'place' } as const;

export const eventChanged = defineTemplate<Variables>('event-changed', (mail) => {
  const order = (['time', 'location', 'title'] as const).filter((part) => mail.changed.includes(part));
  const parts = new Intl.ListFormat(mail.locale).format(order.map((part) => WORDS[part]));
  return {
    subject: `Changed: ${mail.title}`,
    preview: `New ${parts}. ${mail.when}`,
    blocks: [
      paragraph(`Hello ${mail.firstName},`),
      paragraph(`An event that you are registered for has a new ${parts}. This is how it stands now:`),
      eventFacts(mail),
      button('View event', mail.eventUrl),
      paragraph('You keep your place. The attached entry brings your calendar up to date.'),
    ],
    reason: isMoved(mail.changed)
      ? `You get this mail because you are registered for this event of ${mail.communityName}. Mails about your own booking are always sent.`
      : `You get this mail because you are registered for this event of ${mail.communityName}.`,
  };
});
