import english from './catalogues/en-US/event-life.json' with { type: 'json' };
import { said } from './say';

export const { eventLifeText, giveUpText } = said<
  typeof english,
  {
    eventLifeText: {
      moreOf: [title: string];
      publishQuestion: [title: string];
      cancelQuestion: [title: string];
      told: [people: number];
      seriesMade: [count: number];
    };
    giveUpText: {
      ask: [title: string, when: string];
      askWaiting: [title: string, when: string];
    };
  }
>(english);
