import english from './catalogues/en-US/questions.json' with { type: 'json' };
import { said } from './say';

export const { questionsText, ownRegistrationText } = said<
  typeof english,
  {
    questionsText: {
      intro: [event: string];
      optional: [label: string];
      editor: {
        row: [at: number];
        up: [at: number];
        down: [at: number];
        remove: [at: number];
        locked: [answered: number];
        answered: [label: string];
      };
      answered: [count: number];
    };
  }
>(english);
