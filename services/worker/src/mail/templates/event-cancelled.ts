import { button, defineTemplate, paragraph } from '../content.js';
import { eventFacts, type EventFacts } from './event-facts.js';

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  homeUrl: string;
}

export const eventCancelled = defineTemplate<Variables>('event-cancelled', (mail) => ({
  subject: `Cancelled: ${mail.title}`,
  preview: `It will not take place. ${mail.when}`,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('An event that you were registered for has been cancelled. We are sorry.'),
    eventFacts(mail),
    paragraph('The attached entry takes it out of your calendar. There is nothing that you need to do.'),
    button('See other events', mail.homeUrl),
  ],
  reason: `You get this mail because you were registered for this event of ${mail.communityName}. Mails about your own booking are always sent.`,
}));
