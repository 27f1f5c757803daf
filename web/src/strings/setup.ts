import english from './catalogues/en-US/setup.json' with { type: 'json' };
import { said } from './say';

export const { setupText } = said<
  typeof english,
  {
    setupText: {
      made: [title: string];
      step: [step: number, count: number, name: string];
      organiser: [number: number];
      readyTitle: [name: string];
    };
  }
>(english);
