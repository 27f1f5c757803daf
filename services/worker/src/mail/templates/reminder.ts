import { button, defineTemplate, paragraph } from '../content.js';
import { eventFacts, type EventFacts } from './event-facts.js';

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  eventUrl: string;
}

export const reminder = defineTemplate<Variables>('reminder', (mail) => ({
  subject: `Coming up: ${mail.title}`,
  preview: mail.when,
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('An event that you are registered for begins soon. We look forward to seeing you.'),
    eventFacts(mail),
    button('View event', mail.eventUrl),
    paragraph('Cannot come after all? Please unregister before it begins.'),
  ],
  reason: `You get this mail because you are registered for this event of ${mail.communityName}.`,
}));
