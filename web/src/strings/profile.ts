import type { MailList } from '@meetmark/contracts';

export const profileText = {
  title: 'Profile Settings',
  accountInformation: 'Account Information',
  editProfile: 'Edit Profile',
  cancel: 'Cancel',
  save: 'Save Changes',
  saving: 'Saving...',
  firstName: 'First Name',
  lastName: 'Last Name',
  email: 'Email',
  about: 'About Me',
  aboutPlaceholder: 'What do you work on? What would you like to talk about?',
  linkedInUrl: 'LinkedIn URL',
  notProvided: 'Not provided',
  memberSince: (date: string) => `Member since ${date}`,
  roles: { owner: 'Administrator', organiser: 'Organiser', member: 'Member' },
  choosePicture: 'Choose a picture',
  changePicture: 'Change picture',
  removePicture: 'Remove picture',
  updated: 'Profile updated',
  failed: 'Failed to update profile. Please try again.',
  networkError: 'An error occurred while updating your profile.',
  promptTitle: 'Add a profile picture?',
  prompt: 'A picture helps other members to recognise you at events.',
  promptAdd: 'Add Profile Picture',
  promptLater: 'Maybe Later',
} as const;

export const pictureText = {
  notAnImage: 'Please choose an image file',
  tooLarge: (megabytes: number) => `The picture is too large: choose one of at most ${megabytes} MB`,
  unreadable: 'The picture could not be read. Choose another one.',
} as const;

export const mailPreferencesText = {
  title: 'Emails',
  intro:
    'Booking notices are always sent: your place is confirmed, or an event is cancelled or moved. So are messages about your account.',
  eventUpdates: 'Event updates',
  eventUpdatesHint: 'Other changes of events that you registered for, such as a new title.',
  reminders: 'Reminders',
  remindersHint:
    'A message on the day before an event, and one that clears your calendar when you give up a place.',
  messages: 'Messages from organisers',
  messagesHint: 'What the organisers of an event that you registered for write to you.',
  announcements: 'New events about my topics',
  announcementsHint: 'An announcement of an event about a topic that you follow.',
  digest: 'Weekly digest',
  digestHint: 'On Mondays: what is new, what you go to, and what is nearly full.',
  saved: 'Email settings saved',
  failed: 'The email settings could not be saved. Please try again.',
} as const;

export const visibilityText = {
  title: 'Who sees that you are coming',
  intro: 'Members who look at an event see who comes. Your registrations begin with this; each can differ.',
  options: { no: 'Nobody', name: 'Name', linkedin: 'With LinkedIn' },
  hints: {
    no: 'You are counted, and not named.',
    name: 'Your name and picture.',
    linkedin: 'Your name, your picture and your LinkedIn profile.',
  },
  saved: 'Saved for your next registrations',
  failed: 'That could not be saved. Please try again.',
} as const;

export const eventRolesText = {
  title: 'Where you are named',
  intro:
    'Organisers have named you at these events. Your name and picture are on the page of an event once you agree.',
  as: { host: 'Show me as a host', speaker: 'Show me as a speaker' },
  coHost: 'Show me as a host, who manages the event as well',
  shown: 'You are shown on the page of the event',
  hidden: 'You are not shown there any more',
  failed: 'That could not be saved. Please try again.',
} as const;

export const calendarFeedText = {
  title: 'Calendar feed',
  intro:
    'A secret address with the events of My Events: your calendar program keeps itself up to date with it.',
  exists: (date: string) => `Your feed has existed since ${date}. Its address was shown when it was made.`,
  create: 'Create a feed address',
  replace: 'Create a new address',
  remove: 'Remove the feed',
  address: 'Feed address',
  copy: 'Copy',
  copied: 'Feed address copied',
  copyFailed: 'The address could not be copied. Select it and copy it by hand.',
  onlyNow: 'Copy it now: it is not shown again. Whoever has it can see your events.',
  removed: 'The feed has been removed',
  failed: 'The feed could not be changed. Please try again.',
} as const;

export const unsubscribeText = {
  title: 'Stop these mails',
  lists: {
    eventUpdates: mailPreferencesText.eventUpdates,
    reminders: mailPreferencesText.reminders,
    messages: mailPreferencesText.messages,
    announcements: mailPreferencesText.announcements,
    digest: mailPreferencesText.digest,
  } satisfies Record<MailList, string>,
  hints: {
    eventUpdates: mailPreferencesText.eventUpdatesHint,
    reminders: mailPreferencesText.remindersHint,
    messages: mailPreferencesText.messagesHint,
    announcements: mailPreferencesText.announcementsHint,
    digest: mailPreferencesText.digestHint,
  },
  ask: (list: string) => `Stop the list “${list}”?`,
  stop: 'Stop these mails',
  stopping: 'Stopping...',
  stoppedTitle: 'These mails are stopped',
  stopped: (list: string) => `You will not get any more mails of the list “${list}”.`,
  undo: 'Undo',
  undoing: 'Undoing...',
  undoneTitle: 'You get these mails again',
  always: 'Mails about your account and your own bookings are always sent.',
  settings: 'All mail settings',
  home: 'Back to Home',
  invalidTitle: 'This link does not work',
  invalid: 'It is not complete or no longer valid. You can choose your mails in your settings.',
  failed: 'That did not work. Please try again.',
} as const;

export const subscribeText = {
  title: 'Confirm your address',
  intro: 'Press the button, and the mails that were asked for come to this address.',
  act: 'Confirm my address',
  acting: 'Confirming...',
  doneTitle: 'Your address is confirmed',
  done: 'The mails come from now on. Each has a link that stops them.',
  home: 'Back to Home',
  invalidTitle: 'This link does not work',
  invalid: 'It is not complete, or older than seven days. Please sign up once more.',
  failed: 'That did not work. Please try again.',
} as const;
