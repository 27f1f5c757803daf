import type { MailList } from '@meetmark/contracts';
import { mailPreferencesText } from '@meetmark/i18n/texts/profile';

export const mailLists: Record<MailList, { name: string; hint: string }> = {
  eventUpdates: { name: mailPreferencesText.eventUpdates, hint: mailPreferencesText.eventUpdatesHint },
  reminders: { name: mailPreferencesText.reminders, hint: mailPreferencesText.remindersHint },
  messages: { name: mailPreferencesText.messages, hint: mailPreferencesText.messagesHint },
  announcements: { name: mailPreferencesText.announcements, hint: mailPreferencesText.announcementsHint },
  digest: { name: mailPreferencesText.digest, hint: mailPreferencesText.digestHint },
};
