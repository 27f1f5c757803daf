import english from './catalogues/en-US/settings.json' with { type: 'json' };
import { said } from './say';

export const { settingsText } = said<
  typeof english,
  {
    settingsText: {
      useNearest: [colour: string];
      sponsor: [number: number];
      removeSponsor: [name: string];
      version: [version: number];
      by: [who: string, when: string];
      from: [name: string, before: string, after: string];
      entries: [count: number];
    };
  }
>(english);
