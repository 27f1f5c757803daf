import english from './catalogues/en-US/events.json' with { type: 'json' };
import { said } from './say';

export const { browseText, priceFilterText, eventText, registrationText, formatText } = said<
  typeof english,
  {
    browseText: {
      removeFilter: [filter: string];
      laterIn: [month: string];
      found: [count: number];
    };
    eventText: {
      viewDetailsOf: [title: string];
      places: [registered: number, capacity: number];
      going: [registered: number];
    };
    registrationText: {
      opens: [moment: string];
      number: [position: number];
      othersWaiting: [count: number];
      of: [label: string, title: string];
      unregisterQuestion: [title: string];
      leaveQuestion: [title: string];
    };
  }
>(english);
