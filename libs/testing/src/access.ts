import type { Access } from '@meetmark/contracts';

// Who may do what, for the tests of the gateway and of the services: an independent control of what routes and messages say.

/** Everybody who differs in what they may do with one published event. */
export const CALLERS = ['visitor', 'member', 'other organiser', 'own organiser', 'co-host', 'owner'] as const;
export type CallerKind = (typeof CALLERS)[number];

type Answer = 'yes' | 'UNAUTHORIZED' | 'FORBIDDEN';

const row = (...answers: Answer[]) =>
  Object.fromEntries(CALLERS.map((caller, n) => [caller, answers[n]!])) as Record<CallerKind, Answer>;

/** What each of them is told by a route or message with that access, in the order of CALLERS. */
export const MAY: Record<Access, Record<CallerKind, Answer>> = {
  public: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  // between processes: no browser can send one
  internal: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  member: row('UNAUTHORIZED', 'yes', 'yes', 'yes', 'yes', 'yes'),
  organiser: row('UNAUTHORIZED', 'FORBIDDEN', 'yes', 'yes', 'FORBIDDEN', 'yes'),
  manager: row('UNAUTHORIZED', 'FORBIDDEN', 'FORBIDDEN', 'yes', 'yes', 'yes'),
  admin: row('UNAUTHORIZED', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'yes'),
};

/** Every message by its access. A new message is added here, too: that makes this control independent of the contract. */
const MESSAGES: Record<Access, string[]> = {
  public: [
    'calendar.event',
    'calendar.public',
    'calendar.member',
    'codes.request',
    'codes.requestRsvp',
    'codes.resetPassword',
    'codes.confirmRsvp',
    'codes.confirm',
    'codes.confirmLink',
    'codes.getFlow',
    'codes.revertEmail',
    'door.getSnapshot',
    'door.checkIn',
    'door.walkIn',
    'events.getPreview',
    'events.get',
    'events.listPublic',
    'events.listAddresses',
    'pictures.getAvatar',
    'pictures.hasAvatar',
    'pictures.getBanner',
    'events.count',
    'secondStep.passkeyOptions',
    'secondStep.complete',
    'users.signUp',
    'users.signIn',
  ],
  internal: [
    'eventMessages.findGuest',
    'eventMessages.setGuest',
    'users.unsubscribe',
    'users.findMailPreferences',
    'secondStep.begin',
    'users.getSessionUser',
  ],
  member: [
    'proposals.make',
    'proposals.listOwn',
    'calendar.getFeed',
    'calendar.createFeed',
    'calendar.revokeFeed',
    'codes.requestVerification',
    'codes.resendEmailCode',
    'codes.cancelEmailChange',
    'events.listRoles',
    'events.answerRole',
    'events.list',
    'users.getMailPreferences',
    'users.setMailPreferences',
    'users.updateProfile',
    'registrations.register',
    'registrations.change',
    'registrations.unregister',
    'registrations.myEvents',
    'registrations.own',
    'registrations.faces',
    'door.getOwnCode',
    'door.checkInSelf',
    'events.attendees',
    'secondFactors.list',
    'secondFactors.beginTotp',
    'secondFactors.confirmTotp',
    'secondFactors.beginPasskey',
    'secondFactors.confirmPasskey',
    'secondFactors.remove',
    'secondFactors.renewRecoveryCodes',
    'secondStep.reauthenticate',
    'users.changePassword',
  ],
  organiser: [
    'proposals.list',
    'proposals.accept',
    'proposals.decline',
    'events.create',
    'events.listVenues',
  ],
  manager: [
    'guests.list',
    'guests.add',
    'guests.change',
    'guests.remove',
    'guests.place',
    'events.update',
    'events.publish',
    'events.cancel',
    'events.makeSeries',
    'events.createPreview',
    'events.revokePreview',
    'events.delete',
    'events.mayManage',
    'eventMessages.list',
    'eventMessages.get',
    'eventMessages.recipients',
    'eventMessages.audience',
    'eventMessages.create',
    'eventMessages.change',
    'eventMessages.cancel',
    'eventMessages.preview',
    'eventMessages.test',
    'registrations.list',
    'door.get',
    'door.createLink',
    'door.revokeLink',
    'registrations.activity',
    'waitlist.list',
    'waitlist.promote',
    'waitlist.remove',
  ],
  admin: [
    'accounts.list',
    'accounts.create',
    'accounts.update',
    'accounts.delete',
    'accounts.setPassword',
    'accounts.setAdmin',
    'accounts.sendResetCode',
    'accounts.summarise',
    'activity.get',
    'administration.listUsers',
    'administration.createUser',
    'administration.updateUser',
    'administration.deleteUser',
    'administration.setPassword',
    'administration.setAdmin',
    'administration.sendResetCode',
    'administration.summarise',
    'audit.list',
    'events.handOver',
    'events.summarise',
    'registrations.followDeletedAccount',
    'secondFactors.removeOf',
    'system.status',
    'system.sendTestMail',
  ],
};

/** Who may send a message. @throws Error for one that the table does not have */
export function whoMaySend(name: string): Record<CallerKind, Answer> {
  const found = Object.entries(MESSAGES).find(([, names]) => names.includes(name));
  if (found === undefined) throw new Error(`the table of roles (libs/testing/src/access.ts) has no ${name}`);
  return MAY[found[0] as Access];
}
