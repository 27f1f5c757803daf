import { button, defineTemplate, paragraph } from '../content.js';
import { eventFacts, type EventFacts } from './event-facts.js';

interface Variables extends EventFacts {
  communityName: string;
  firstName: string;
  eventUrl: string;
}

export const unregistered = defineTemplate<Variables>('unregistered', (mail) => ({
  subject: `You are no longer registered: ${mail.title}`,
  preview: 'You gave up your place.',
  blocks: [
    paragraph(`Hello ${mail.firstName},`),
    paragraph('You gave up your place. The attached entry takes the event out of your calendar.'),
    eventFacts(mail),
    paragraph('Can you come after all? You can register again while there are places left.'),
    button('View event', mail.eventUrl),
  ],
  reason: `You get this mail because you unregistered from an event of ${mail.communityName}.`,
}));
