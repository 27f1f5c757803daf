/** What stands in every mail, and in the parts that many have; of an event, in calendars and feeds as well. */
export const english = {
  greeting: 'Hello {firstName},',
  greetingOfAnybody: 'Hello,',
  stop: 'Unsubscribe from these mails',
  settings: 'Your mail settings',
  legal: { terms: 'Terms of Service', privacy: 'Privacy Policy' },
  pictureOf: 'Picture of {title}',
  was: '(was {before})',
  doorCode: {
    title: 'Your code for the door',
    hint: 'Show it on your phone or on paper.',
    picture: 'QR code of your place',
  },
  event: {
    when: 'When',
    where: 'Where',
    online: 'Online',
    alsoOnline: '{place} (also online)',
    bothWays: 'In person and online',
    directions: 'Directions',
    join: 'Join online',
    joinAt: 'Join: {url}',
    price: 'Price',
    howToPay: 'How to pay',
  },
  message: {
    status: 'From the organisers',
    statusBy: 'From {name}',
    answer: 'Answer this mail to write to the organisers.',
    answerTo: 'Answer this mail to write to {name}.',
    reason: 'You get this mail because you registered for {title}, an event of {community}.',
  },
} as const;
