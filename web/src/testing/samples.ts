import type { EventPage, Question } from '@meetmark/contracts';
import { anEventPage } from '@meetmark/testing/factories/samples';

export { aUser } from '@meetmark/testing/factories/samples';

/** The same event each time. */
export const anEvent = (given: Partial<EventPage> = {}): EventPage =>
  anEventPage({ id: '0190b000-0000-7000-8000-000000000001', ...given });

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
