/** The organiser's workspace of one event. */
export const workspaceText = {
  allEvents: 'All events',
  parts: 'Parts of the workspace',
  tabs: {
    overview: 'Overview',
    guests: 'Guests',
    messages: 'Messages',
    settings: 'Settings',
  },
  notManaged: 'You do not manage this event',
  notManagedHint: 'Its organiser can ask you to be a co-host.',
  preview: 'Preview',
  notOnMap: 'Place not decided',

  registered: 'Registered',
  of: (capacity: string) => `of ${capacity}`,
  noLimit: 'No limit of places',
  full: 'Full',
  left: (places: string) => (places === '1' ? '1 place left' : `${places} places left`),
  waiting: 'Waiting',
  waitingNone: 'Nobody waits for a place',
  waitingSome: 'First come, first served',
  waitingOff: 'The waiting list is off',
  starts: 'Starts',

  activity: 'The last 14 days',
  activityTotal: (total: string) => (total === '1' ? '1 registration' : `${total} registrations`),
  today: 'Today',

  address: 'The event’s address',
  link: 'Link',
  addressHint: {
    draft: 'Nobody else sees it before the event is published.',
    public: 'Everybody who opens it can register.',
    unlisted: 'No list shows the event: only who has this address finds it.',
    cancelled: 'The page says that the event is cancelled.',
  },
  copyLink: 'Copy link',
  copied: 'Link copied',
  copyFailed: 'The link could not be copied. Select it in the field.',

  steps: 'Next steps',
  stepsDone: 'Everything is prepared.',
  stepsOver: 'Nothing is left to do.',
  step: {
    publish: 'Publish the event',
    publishHint: 'It is a draft, which only organisers see.',
    describe: 'Describe the event',
    describeHint: 'What people learn or do, and for whom it is.',
    place: 'Say where it is',
    placeHint: 'The venue and how to find the door.',
    online: 'Add the joining link',
    onlineHint: 'Only people with a place see it.',
    hosts: 'Confirm the hosts',
    hostsHint: (count: number) =>
      count === 1
        ? 'One person has not agreed yet to be shown.'
        : `${count} people have not agreed yet to be shown.`,
    waiting: 'Look at the waiting list',
    waitingHint: (count: number) =>
      count === 1 ? 'One person waits for a place.' : `${count} people wait for a place.`,
    recap: 'Add slides or a recap',
    recapHint: 'Those who came find them on the event’s page.',
  },

  registration: 'Registration',
  publishing: 'Who sees it',
  save: 'Save settings',
  saving: 'Saving...',
  ending: 'Cancel or delete',
  cancelHint: 'Its page stays and says so. Everybody who is registered or waits is told by mail.',
  deleteHint: 'The event and all of its registrations are removed for good.',
  publishHint: 'Everybody who may see it can register from then on.',
  isCancelled: 'This event is cancelled: its settings do not change any more.',
} as const;

export const guestsText = {
  list: 'Guests',
  count: (total: string) => `${total} on the list`,
  searchHint: 'Search by name or email',
  name: 'Name',
  email: 'Email',
  noEmail: 'No address',
  state: 'State',
  stateFilter: {
    all: 'Every state',
    registered: 'Registered',
    waitlisted: 'Waiting',
    cancelled: 'Not coming',
  },
  states: { registered: 'Registered', waitlisted: 'Waiting', cancelled: 'Not coming' },
  checkedIn: 'Checked in',
  checkedInFilter: { all: 'Came or not', true: 'Came', false: 'Not checked in' },
  cameAt: (time: string) => `Came at ${time}`,
  noShow: 'Did not come',
  notYet: 'Not yet',
  registeredAt: 'Registered At',
  paid: 'Paid',
  note: 'Note',
  noteHint: 'Only organisers see it.',
  saveNote: 'Save note',
  noteSaved: 'Note saved',
  none: 'Nobody has registered yet',
  noneHint: 'Share the event, or add the people who told you that they come.',
  noneFound: 'Nobody matches',
  export: 'Export CSV',
  message: (people: string) => `Message (${people})`,
  unreachable: 'Nobody of them can be written to: they have no address, or are not coming.',
  tooMany: (most: string) =>
    `At most ${most} people can be written to one by one. Choose a group under Messages instead.`,
  exportFailed: 'The list could not be exported. Please try again.',

  add: 'Add guest',
  addTitle: 'Add a guest',
  addIntro: 'For somebody who told you that they come. They need no account.',
  emailHint: 'Optional. It gets the confirmation and the calendar entry.',
  nameRequired: 'Name is required',
  emailInvalid: 'Invalid email address',
  exists: 'Somebody with this email address is on the guest list already',
  addConfirm: 'Add guest',
  addingNow: 'Adding...',
  added: (name: string) => `${name} has a place now`,

  place: 'Give a place',
  placed: (name: string) => `${name} has a place now`,
  fullTitle: 'No place is free',
  fullQuestion: (name: string) => `Add one place for ${name}?`,
  fullWarning: (others: number) =>
    others === 0
      ? 'The event then has one place more. Nobody else waits for one.'
      : others === 1
        ? 'The event then has one place more. One other person waits and goes on waiting.'
        : `The event then has one place more. ${others} other people wait and go on waiting.`,
  fullConfirm: 'Add a place',

  remove: 'Remove',
  removeTitle: 'Remove from the guest list',
  removeQuestion: (name: string) => `Remove ${name}? Their place goes to the first who waits.`,
  reason: 'Reason (optional)',
  reasonHint: 'It stands in the mail that tells them.',
  removed: (name: string) => `${name} is not on the guest list any more`,
  failed: 'The guest list could not be changed. Please try again.',
} as const;
