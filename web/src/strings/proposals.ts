import english from './catalogues/en-US/proposals.json' with { type: 'json' };
import { said } from './say';

export const { proposalsText, proposalQueueText } = said<
  typeof english,
  {
    proposalsText: {
      limit: [most: number];
      proposedAt: [date: string];
      zone: [zone: string];
    };
    proposalQueueText: {
      by: [name: string, date: string];
      accepted: [name: string];
      declineIntro: [title: string];
      declineWords: [firstName: string];
      declined: [name: string];
      open: [count: number];
    };
  }
>(english);
