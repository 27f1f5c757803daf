import english from './catalogues/en-US/place.json' with { type: 'json' };
import { said } from './say';

export const { scannedText, checkInText, takeOverText } = said<
  typeof english,
  {
    checkInText: {
      signInFirst: [event: string];
      ask: [event: string, when: string];
      opens: [moment: string];
      opensHint: [event: string];
      nonePlaceHint: [event: string];
      done: [firstName: string];
      doneAt: [time: string];
      alreadyAt: [time: string];
    };
    takeOverText: {
      noneHeld: [email: string];
    };
  }
>(english);
