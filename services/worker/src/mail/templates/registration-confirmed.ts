import { button, defineTemplate, paragraph } from '../content.js';
import { eventFacts, type EventFacts } from './event-facts.js';

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  eventUrl: string;
}

export const registrationConfirmed = defineTemplate<Variables>('registration-confirmed', (mail) => ({
  subject: `You are registered: ${mail.title}`,
  preview: mail.when,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('Your place is booked. The attached entry puts it into your calendar.'),
    eventFacts(mail),
    button('View event', mail.eventUrl),
    paragraph('Cannot come after all? Please unregister, so that somebody else gets the place.'),
  ],
  reason: `You get this mail because you registered for an event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
