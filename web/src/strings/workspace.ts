import english from './catalogues/en-US/workspace.json' with { type: 'json' };
import { said } from './say';

export const { workspaceText, guestsText, doorTabText } = said<
  typeof english,
  {
    workspaceText: {
      of: [capacity: string];
      left: [places: string];
      activityTotal: [total: string];
      step: {
        hostsHint: [count: number];
        waitingHint: [count: number];
      };
    };
    guestsText: {
      count: [total: string];
      cameAt: [time: string];
      message: [people: string];
      tooMany: [most: string];
      added: [name: string];
      placed: [name: string];
      fullQuestion: [name: string];
      fullWarning: [others: number];
      removeQuestion: [name: string];
      removed: [name: string];
    };
    doorTabText: {
      of: [registered: string];
      validUntil: [moment: string];
      madeAt: [moment: string];
      endedAt: [moment: string];
      expiredAt: [moment: string];
      revokeOf: [moment: string];
      scannedAt: [moment: string];
      walkedInAt: [moment: string];
    };
  }
>(english);
