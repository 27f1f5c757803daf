import type { QuestionKind } from '@meetmark/contracts';

const kinds: Record<QuestionKind, string> = { text: 'Text', choice: 'Choice', yesNo: 'Yes or no' };

/** What an event asks those who register. */
export const questionsText = {
  title: 'A few questions first',
  intro: (event: string) => `The organisers of “${event}” ask:`,
  optional: (label: string) => `${label} (optional)`,
  choose: 'Choose…',
  none: 'No answer',
  yes: 'Yes',
  no: 'No',
  yours: 'What you answered',

  /** For who edits them. */
  editor: {
    section: 'Questions',
    hint: 'Asked of everybody who registers. Only you and the other organisers see the answers.',
    add: 'Add a question',
    row: (at: number) => `Question ${at}`,
    label: 'Question',
    labelPlaceholder: 'Is there anything that you do not eat?',
    labelRequired: 'Say what is asked',
    kind: 'Answer',
    kinds,
    options: 'Options, one in each line',
    optionsInvalid: 'A choice needs 2 to 10 different options of at most 100 characters',
    required: 'Needs an answer',
    up: (at: number) => `Move question ${at} up`,
    down: (at: number) => `Move question ${at} down`,
    remove: (at: number) => `Remove question ${at}`,
    locked: (answered: number) =>
      `${answered === 1 ? 'One person has' : `${answered} people have`} answered: it stays, with its kind and options. You can reword it.`,
    lockedChoice: 'Options can be added.',
    incomplete: 'Each question needs its words, and a choice its options',
    answered: (label: string) =>
      `Somebody has answered “${label}” meanwhile: it cannot be removed, nor its kind or options.`,
  },

  /** In the workspace. */
  answers: 'Answers',
  answered: (count: number) => (count === 1 ? '1 answer' : `${count} answers`),
} as const;

/** What a member has said with their place. */
export const ownRegistrationText = {
  shownAs: 'Other people who are coming see',
  shownOptions: { no: 'Nothing of me', name: 'My name', linkedin: 'My name and LinkedIn' },
  shownSaved: 'Saved',
  shownFailed: 'This could not be saved. Please try again.',
} as const;
