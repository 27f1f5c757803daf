/** Checking in at the venue, and making a place that is held one's own. */
export const scannedText = {
  loading: 'Looking up the code',
  ticket: 'This is a ticket code',
  ticketHint: 'Show it at the door of the event: it is scanned there and lets one person in.',
  ticketDoor:
    'Are you letting people in? Open the door link of the event, which the organisers have, and scan the code from there.',
  home: 'To the home page',
  myEvents: 'My Events',
} as const;

export const checkInText = {
  title: 'Check in',
  signInFirst: (event: string) => `Sign in to check in at “${event}”. The code that we mail you is enough.`,
  email: 'Email',
  emailRequired: 'Email is required',
  emailInvalid: 'This is not an email address',
  sendCode: 'Email me a sign-in code',
  sending: 'Sending a code...',
  sendFailed: 'The code could not be requested. Please try again.',
  password: 'Sign in with a password',
  ask: (event: string, when: string) => `You have a place at “${event}”, ${when}.`,
  act: 'Check in',
  acting: 'Checking in...',
  failed: 'You could not be checked in. Please try again, or show your code at the door.',
  opens: (moment: string) => `Check-in opens ${moment}`,
  opensHint: (event: string) => `You have a place at “${event}”. Scan the code of the venue again then.`,
  over: 'This event is over',
  cancelled: 'This event has been cancelled',
  nonePlace: 'You have no place yet',
  nonePlaceHint: (event: string) =>
    `Register for “${event}” first: the code of the venue then checks you in.`,
  waiting: 'You are on the waiting list',
  waitingHint: 'Ask at the door whether somebody can let you in.',
  register: 'To the event',
  done: (firstName: string) => `You’re in, ${firstName}`,
  doneAt: (time: string) => `Checked in at ${time}. Enjoy the event!`,
  alreadyAt: (time: string) => `You were already in at ${time}.`,
} as const;

export const takeOverText = {
  hint: 'Confirm your address to make it yours.',
  act: 'Make it mine',
  taking: 'Making it yours...',
  noneHeld: (email: string) => `No place is held for ${email}.`,
  noneHeldHere: 'No place is held for this address.',
  other: 'I have no such mail',
} as const;
