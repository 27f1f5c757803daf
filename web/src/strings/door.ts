import english from './catalogues/en-US/door.json' with { type: 'json' };
import { said } from './say';

export const { doorText } = said<
  typeof english,
  {
    doorText: {
      counter: [checkedIn: number, registered: number];
      waiting: [count: number];
      more: [count: number];
      inAt: [time: string];
      in: [name: string];
      alreadyIn: [time: string];
      wrongEvent: [title: string];
      fullHint: [name: string];
      noAddressHint: [name: string];
      refusedBecause: [name: string];
      undone: [name: string];
      endedRefused: [count: number];
    };
  }
>(english);
