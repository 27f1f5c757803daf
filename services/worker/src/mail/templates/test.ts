import { defineTemplate, facts, paragraph } from '../content.js';

export const test = defineTemplate<{ communityName: string; firstName: string; when: string }>(
  'test',
  ({ communityName, firstName, when }) => ({
    subject: `Test mail from ${communityName}`,
    preview: 'Mail is set up.',
    blocks: [
      paragraph(`Hello ${firstName},`),
      paragraph('This mail went the whole way: outbox, queue, worker and mail server. Mail is set up.'),
      facts(['Asked for', when]),
    ],
    reason: `You get this mail because you asked for it on the System page of ${communityName}.`,
  }),
);
