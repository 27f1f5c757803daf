import type { Access } from '@meetmark/contracts';
import { codes } from './concurrency.js';

// Expected rights for tests of the gateway and the services. Written independently of the routes and
// messages.

export const CALLERS = ['visitor', 'member', 'other organiser', 'own organiser', 'co-host', 'owner'] as const;
export type CallerKind = (typeof CALLERS)[number];

type Answer = 'yes' | 'UNAUTHORIZED' | 'FORBIDDEN';

const row = (...answers: Answer[]) =>
  Object.fromEntries(CALLERS.map((caller, n) => [caller, answers[n]!])) as Record<CallerKind, Answer>;

/** Expected answers by access. Columns are in the order of CALLERS. */
export const MAY: Record<Access, Record<CallerKind, Answer>> = {
  public: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  // Only Meetmark's processes send these messages, so the user's role doesn't matter.
  internal: row('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  member: row('UNAUTHORIZED', 'yes', 'yes', 'yes', 'yes', 'yes'),
  organiser: row('UNAUTHORIZED', 'FORBIDDEN', 'yes', 'yes', 'FORBIDDEN', 'yes'),
  manager: row('UNAUTHORIZED', 'FORBIDDEN', 'FORBIDDEN', 'yes', 'yes', 'yes'),
  admin: row('UNAUTHORIZED', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'yes'),
};

/**
 * Names of messages by access. Add each new message by hand, so that the check stays independent of the
 * contracts.
 */
const MESSAGES: Record<Access, string[]> = {
  public: [
    'calendar.event',
    'calendar.public',
    'calendar.member',
    'codes.request',
    'codes.requestRsvp',
    'codes.requestContact',
    'codes.confirmContact',
    'hostMessages.writeAsVisitor',
    'codes.resetPassword',
    'codes.confirmRsvp',
    'codes.confirm',
    'codes.confirmLink',
    'codes.getFlow',
    'codes.revertEmail',
    'door.getSnapshot',
    'door.checkIn',
    'door.walkIn',
    'door.findVenue',
    'events.getPreview',
    'events.find',
    'events.get',
    'events.listPublic',
    'events.listAddresses',
    'pictures.getAvatar',
    'pictures.hasAvatar',
    'pictures.getBanner',
    'pictures.getOfGallery',
    'pictures.isInGallery',
    'pictures.getCommunity',
    'events.count',
    'accounts.restore',
    'secondStep.passkeyOptions',
    'secondStep.complete',
    'subscriptions.request',
    'topics.list',
    'topics.calendar',
    'setup.begin',
    'setup.state',
    'users.signUp',
    'users.signIn',
  ],
  internal: [
    'eventMessages.findGuest',
    'eventMessages.setGuest',
    'subscriptions.confirm',
    'subscriptions.findList',
    'subscriptions.setList',
    'users.unsubscribe',
    'users.findMailPreferences',
    'accounts.beginRestoring',
    'secondStep.begin',
    'users.getSessionUser',
  ],
  member: [
    'hostMessages.write',
    'proposals.make',
    'proposals.listOwn',
    'calendar.getFeed',
    'calendar.createFeed',
    'calendar.revokeFeed',
    'codes.requestVerification',
    'codes.resendEmailCode',
    'codes.cancelEmailChange',
    'consents.accept',
    'events.listRoles',
    'events.answerRole',
    'events.list',
    'topics.listFollowed',
    'topics.follow',
    'topics.unfollow',
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
    'dataExports.request',
    'dataExports.get',
    'dataExports.getPart',
    'secondFactors.list',
    'secondFactors.beginTotp',
    'secondFactors.confirmTotp',
    'secondFactors.beginPasskey',
    'secondFactors.confirmPasskey',
    'secondFactors.remove',
    'secondFactors.renewRecoveryCodes',
    'secondStep.reauthenticate',
    'users.changePassword',
    'accounts.close',
    'users.endSessions',
  ],
  organiser: [
    'calendar.managed',
    'imports.create',
    'imports.list',
    'imports.listRows',
    'imports.addRows',
    'imports.continue',
    'imports.undo',
    'proposals.list',
    'proposals.accept',
    'proposals.decline',
    'events.create',
    'events.listVenues',
    'members.find',
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
    'events.getPreviewLink',
    'events.changeSlug',
    'gallery.add',
    'gallery.change',
    'gallery.remove',
    'events.revokePreview',
    'events.delete',
    'events.mayManage',
    'members.findForEvent',
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
    'registrations.answers',
    'waitlist.list',
    'waitlist.promote',
    'waitlist.remove',
  ],
  admin: [
    'accounts.list',
    'accounts.create',
    'accounts.update',
    'accounts.remove',
    'accounts.setPassword',
    'accounts.setAdmin',
    'accounts.sendResetCode',
    'accounts.summarise',
    'activity.get',
    'audit.list',
    'checklist.get',
    'events.summarise',
    'registrations.followDeletedAccount',
    'registrations.ofMember',
    'secondFactors.removeOf',
    'topics.create',
    'topics.change',
    'topics.delete',
    'topics.merge',
    'settings.get',
    'settings.change',
    'settings.listVersions',
    'settings.storePicture',
    'system.status',
    'system.sendTestMail',
    'system.checkMail',
  ],
};

/**
 * Returns the expected answer to each kind of caller.
 * @throws Error if no list contains the message
 */
export function whoMaySend(name: string): Record<CallerKind, Answer> {
  const found = Object.entries(MESSAGES).find(([, names]) => names.includes(name));
  if (found === undefined) throw new Error(`the table of roles (libs/testing/src/access.ts) has no ${name}`);
  return MAY[found[0] as Access];
}

/**
 * Returns the answer to each kind of caller. `send` must send an invalid request: a service checks rights
 * first, so permitted callers get another error.
 */
export async function answersTo(
  send: (caller: CallerKind) => Promise<unknown>,
): Promise<Record<CallerKind, Answer>> {
  const errors = await codes(CALLERS.map(send));
  return row(...errors.map((code) => (code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? code : 'yes')));
}
