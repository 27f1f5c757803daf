import { button, defineTemplate, paragraph } from '../content.js';

interface Variables {
  communityName: string;
  firstName: string;
  homeUrl: string;
  forgotPasswordUrl: string;
  /** The address was confirmed in a browser that was not signed in to the account. */
  passwordEnded: boolean;
}

export const welcome = defineTemplate<Variables>(
  'welcome',
  ({ communityName, firstName, homeUrl, forgotPasswordUrl, passwordEnded }) => ({
    subject: `Welcome to ${communityName}`,
    preview: 'Your account is ready. See what is coming up.',
    blocks: [
      paragraph(`Hello ${firstName},`),
      paragraph(`Welcome to ${communityName}. Your account is ready, and every event is one click away.`),
      button('Browse events', homeUrl),
      ...(passwordEnded
        ? [
            paragraph(
              'Your address was confirmed in a browser that was not signed in. The password that was set before, the sign-ins and the private calendar address made with it have ended, because anybody could have set it. You can choose a password:',
            ),
            button('Choose a password', forgotPasswordUrl),
          ]
        : []),
      paragraph('A picture and a line about yourself on your profile help others to recognise you there.'),
    ],
    reason: `You get this mail because an account was made with this address at ${communityName}.`,
  }),
);
