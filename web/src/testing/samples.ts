import type { EventPage, ListedTopic, Question } from '@meetmark/contracts';
import { anEventPage } from '@meetmark/testing/factories/samples';

export { aUser } from '@meetmark/testing/factories/samples';

/** The same event each time. */
export const anEvent = (given: Partial<EventPage> = {}): EventPage =>
  anEventPage({ id: '0190b000-0000-7000-8000-000000000001', ...given });

/** Topics of a community, with so many events to come. */
export const TOPICS: ListedTopic[] = [
  { id: '0190d000-0000-7000-8000-000000000001', slug: 'ppc', name: 'PPC', upcoming: 0 },
  { id: '0190d000-0000-7000-8000-000000000002', slug: 'seo', name: 'SEO', upcoming: 2 },
];

export const [DIET, TRACK, FIRST] = ['diet', 'track', 'first'] as const;
/** One of each kind; the choice needs an answer. */
export const QUESTIONS: Question[] = [
  { id: DIET, kind: 'text', label: 'What do you not eat?', required: false, options: [] },
  { id: TRACK, kind: 'choice', label: 'Which track?', required: true, options: ['Search', 'Social'] },
  { id: FIRST, kind: 'yesNo', label: 'Is this your first time?', required: false, options: [] },
];

/** An event that asks them. */
export const anAskingEvent = (given: Partial<EventPage> = {}): EventPage =>
  anEvent({ hasQuestions: true, content: { ...anEvent().content, questions: QUESTIONS }, ...given });
