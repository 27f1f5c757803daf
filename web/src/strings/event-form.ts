import english from './catalogues/en-US/event-form.json' with { type: 'json' };
import { said } from './say';

export const { eventFormText } = said<
  typeof english,
  {
    eventFormText: {
      proposal: [number: number];
      price: [currency: string];
      copyOf: [title: string];
      zone: [zone: string];
      waitlistOff: [waiting: number];
      typed: [moment: string];
      tell: [registered: number];
      scheduled: [moment: string];
      previewOf: [label: string];
      removeAgenda: [at: number];
      asCoHostFor: [name: string];
      removeSpeaker: [at: number];
      removeResource: [at: number];
      registered: [count: number];
    };
  }
>(english);
