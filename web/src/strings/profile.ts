import type { MailList } from '@meetmark/contracts';
import english from './catalogues/en-US/profile.json' with { type: 'json' };
import { said } from './say';

export const {
  profileText,
  pictureText,
  mailPreferencesText,
  visibilityText,
  eventRolesText,
  calendarFeedText,
  unsubscribeText,
  subscribeText,
} = said<
  typeof english,
  {
    profileText: {
      memberSince: [date: string];
    };
    pictureText: {
      tooLarge: [megabytes: number];
    };
    calendarFeedText: {
      exists: [date: string];
    };
    unsubscribeText: {
      ask: [list: string];
      stopped: [list: string];
    };
  }
>(english);

/** The lists of mails, by their names. */
export const mailLists: Record<MailList, { name: string; hint: string }> = {
  eventUpdates: { name: mailPreferencesText.eventUpdates, hint: mailPreferencesText.eventUpdatesHint },
  reminders: { name: mailPreferencesText.reminders, hint: mailPreferencesText.remindersHint },
  messages: { name: mailPreferencesText.messages, hint: mailPreferencesText.messagesHint },
  announcements: { name: mailPreferencesText.announcements, hint: mailPreferencesText.announcementsHint },
  digest: { name: mailPreferencesText.digest, hint: mailPreferencesText.digestHint },
};
