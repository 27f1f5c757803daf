/** What organisers do with an event beside editing it. */
export const eventLifeText = {
  toolbar: 'Organise this event',
  edit: 'Edit',
  manage: 'Manage',
  more: 'More',
  moreOf: (title: string) => `More: ${title}`,
  duplicate: 'Duplicate',
  delete: 'Delete',

  publish: 'Publish',
  publishTitle: 'Publish Event',
  publishQuestion: (title: string) => `Publish “${title}”?`,
  publishWarning: {
    public: 'Everybody sees it from now on. It cannot become a draft again.',
    unlisted: 'Whoever has its address sees it from now on. It cannot become a draft again.',
  },
  published: 'Event published successfully',
  publishFailed: 'Failed to publish event',

  cancel: 'Cancel event',
  cancelInstead: 'Cancel instead',
  cancelTitle: 'Cancel Event',
  cancelQuestion: (title: string) => `Cancel “${title}”?`,
  cancelWarning:
    'It leaves the lists and the calendar; its page stays and says that it is cancelled. This action cannot be undone.',
  told: (registered: number, waiting: number) => {
    const people = registered + waiting;
    if (people === 0) return 'Nobody is registered, so nobody gets a mail.';
    return people === 1 ? 'One person is told by mail.' : `${people} people are told by mail.`;
  },
  reason: 'Reason (optional)',
  reasonHint: 'It stands in the mail and on the event’s page.',
  keep: 'Keep the event',
  confirmCancel: 'Cancel Event',
  cancelling: 'Cancelling...',
  cancelled: 'Event cancelled successfully',
  cancelFailed: 'Failed to cancel event',

  preview: 'Preview link',
  previewIntro:
    'Whoever has the link sees the draft, without an account. Making another link or publishing the event ends it.',
  previewMake: 'Make a link',
  previewMaking: 'Making a link...',
  previewAddress: 'Link to the draft',
  previewCopy: 'Copy link',
  previewCopied: 'Link copied',
  previewCopyFailed: 'The link could not be copied. Select it in the field.',
  previewFailed: 'Failed to make a link',
  previewRevoke: 'End the link',
  previewRevoking: 'Ending the link...',
  previewRevoked: 'The link does not work any more',
  previewRevokeFailed: 'Failed to end the link',
  previewTitle: 'Preview',
  previewGone: 'This preview does not exist any more',
  previewGoneHint: 'The organisers have ended the link or made another one.',

  series: 'Make a series',
  seriesIntro:
    'The events that follow are drafts at the same time of day. Each of them can be changed and published by itself.',
  every: 'Every',
  everyOptions: { week: 'Week', 'two-weeks': 'Two weeks', month: 'Month' },
  monthHint: 'On the same weekday of the month, such as its last Thursday.',
  count: 'Events in all',
  countInvalid: 'A series has 2 to 12 events',
  seriesMake: 'Make drafts',
  seriesMaking: 'Making drafts...',
  seriesMade: (count: number) => (count === 1 ? '1 draft made' : `${count} drafts made`),
  seriesFailed: 'Failed to make the series',
} as const;

export const giveUpText = {
  title: 'Give up your place',
  ask: (title: string, when: string) => `You have a place at “${title}” on ${when}.`,
  askWaiting: (title: string, when: string) => `You wait for a place at “${title}” on ${when}.`,
  act: 'Give up my place',
  acting: 'Giving up...',
  actWaiting: 'Leave the waiting list',
  actingWaiting: 'Leaving...',
  doneTitle: 'Thank you for telling us',
  done: 'Your place is free for somebody else.',
  doneWaiting: 'You are not on the waiting list any more.',
  nonePlace: 'You have no place at this event',
  over: 'This event has already begun',
  cancelled: 'This event has been cancelled',
  signIn: 'Sign in',
  signInFirst: 'Sign in to give up your place at this event.',
  event: 'To the event',
  myEvents: 'My Events',
  failed: 'Your place could not be given up. Please try again.',
} as const;
