import type { CommunitySettings, EventPage, ListedTopic, Question } from '@meetmark/contracts';
import { anEventPage } from '@meetmark/testing/factories/samples';

export { aUser } from '@meetmark/testing/factories/samples';

export const anEvent = (given: Partial<EventPage> = {}): EventPage =>
  anEventPage({ id: '0190b000-0000-7000-8000-000000000001', ...given });

export const aRunningEvent = (given: Partial<EventPage> = {}): EventPage => {
  const [yesterday, tomorrow] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  return anEvent({ startDate: yesterday!, endDate: tomorrow!, registrationState: 'started', ...given });
};

export const TOPICS: ListedTopic[] = [
  { id: '0190d000-0000-7000-8000-000000000001', slug: 'ppc', name: 'PPC', upcoming: 0 },
  { id: '0190d000-0000-7000-8000-000000000002', slug: 'seo', name: 'SEO', upcoming: 2 },
];

export const [DIET, TRACK, FIRST] = ['diet', 'track', 'first'] as const;
export const QUESTIONS: Question[] = [
  { id: DIET, kind: 'text', label: 'What do you not eat?', required: false, options: [] },
  { id: TRACK, kind: 'choice', label: 'Which track?', required: true, options: ['Search', 'Social'] },
  { id: FIRST, kind: 'yesNo', label: 'Is this your first time?', required: false, options: [] },
];

export const anAskingEvent = (given: Partial<EventPage> = {}): EventPage =>
  anEvent({ hasQuestions: true, content: { ...anEvent().content, questions: QUESTIONS }, ...given });

export const someSettings = (given: Partial<CommunitySettings> = {}): CommunitySettings => ({
  name: 'Rust Porto',
  headline: 'Fearless people by the river',
  tagline: '',
  supportEmail: 'ola@rust.example',
  ...{ linkedInUrl: null, logoUrl: null, heroUrl: null, heroPattern: null, signInButton: false },
  ...{ brandColour: null, secondColour: null, font: null, sponsors: [], copyrightYear: 2026 },
  ...{ currency: 'EUR', timeZone: 'Europe/Lisbon', locale: 'en-GB', weekStart: 'locale' },
  ...{ languages: null, formOfAddress: 'formal', paymentNoteDefault: 'At the door' },
  ...{ memberProposals: false, contactHost: true, publicAttendees: false, mapUrl: null },
  ...{ senderName: null, adminSecondFactorRequired: false, terms: null, privacy: null },
  ...{ termsRequired: false, privacyRequired: false },
  ...{ auditNamesDays: null, answersDays: null, checkInsDays: null, unconfirmedAccountsDays: null },
  ...given,
});
