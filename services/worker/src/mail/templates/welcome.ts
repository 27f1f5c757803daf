import { button, defineTemplate, paragraph } from '../content.js';

export const welcome = defineTemplate<{ communityName: string; firstName: string; homeUrl: string }>(
  'welcome',
  ({ communityName, firstName, homeUrl }) => ({
    subject: `Welcome to ${communityName}`,
    preview: 'Your account is ready. See what is coming up.',
    blocks: [
      paragraph(`Hello ${firstName},`),
      paragraph(`Welcome to ${communityName}. Your account is ready, and every event is one click away.`),
      button('Browse events', homeUrl),
      paragraph('A picture and a line about yourself on your profile help others to recognise you there.'),
    ],
    reason: `You get this mail because an account was made with this address at ${communityName}.`,
  }),
);
