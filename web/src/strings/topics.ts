import english from './catalogues/en-US/topics.json' with { type: 'json' };
import { said } from './say';

export const { topicsText, eventTopicsText, followText, subscribeFormText, adminTopicsText } = said<
  typeof english,
  {
    topicsText: { feeds: [topic: string] };
    followText: { follows: [topic: string]; unfollows: [topic: string] };
    subscribeFormText: { sent: [email: string] };
    adminTopicsText: {
      count: [count: number, most: number];
      upcoming: [count: number];
      full: [most: number];
      mergeTitle: [topic: string];
      deleteQuestion: [topic: string];
    };
  }
>(english);
