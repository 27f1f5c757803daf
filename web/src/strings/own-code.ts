/** What shows that one has a place. Apart: the page of an event has it. */
export const ownCodeText = {
  show: 'Show my code',
  title: 'Your code',
  hint: 'Show this at the door. A bright screen is read faster.',
  qr: 'QR code of your place',
  loading: 'Loading your code',
  failed: 'Your code could not be loaded',
} as const;
