import english from './catalogues/en-US/event-page.json' with { type: 'json' };
import { said } from './say';

export const { detailsText, noticeText, cardText } = said<
  typeof english,
  {
    detailsText: {
      clockOf: { viewer: [hours: string]; community: [hours: string] };
      directionsTo: [place: string];
      attendees: [count: number];
      andOthers: [count: number];
      others: [count: number];
      othersPast: [count: number];
      linkedInOf: [name: string];
      moreOf: [name: string];
    };
    noticeText: {
      publishes: [moment: string];
    };
    cardText: {
      left: [count: number];
      codeSent: [email: string];
      waitingTitle: [position: number];
      youAreIn: [firstName: string];
      sentTo: [email: string];
      keptUntil: [moment: string];
      opens: [moment: string];
      reason: [reason: string];
    };
  }
>(english);
