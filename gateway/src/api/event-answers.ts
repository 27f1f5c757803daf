import { CountRegistrations, EventFilter, GetEvent, ListPublicEvents } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { Answer } from '../answers/answer.js';
import { PublicAnswers } from '../answers/public-answers.js';
import { checkedFields } from './fields.js';
import { pageHeaders } from './pages.js';
import { Services } from './services.js';

const NOBODY = { identity: null };

/** What everybody is told about events, kept until something about them changes. */
@Injectable()
export class EventAnswers {
  constructor(
    private readonly services: Services,
    private readonly answers: PublicAnswers,
  ) {}

  /** `fields` are those of the query; they are checked when an answer is made: what is answered already has been. */
  list(fields: object): Promise<Answer> {
    // named after what is asked, not after how it was spelled: the router and we might read an odd address differently
    return this.answers.get(`list ${JSON.stringify(fields)}`, async () => {
      const filter = await checkedFields(EventFilter, { ...fields });
      const page = await this.services.read(ListPublicEvents, filter, NOBODY);
      return Answer.json(page.items, pageHeaders('/api/events/public', filter, page));
    });
  }

  /** As a visitor sees it. */
  one(eventId: string): Promise<Answer> {
    return this.answers.get(`event ${eventId}`, async () =>
      Answer.json(await this.services.read(GetEvent, { eventId }, NOBODY)),
    );
  }

  count(eventId: string): Promise<Answer> {
    return this.answers.get(`count ${eventId}`, async () =>
      Answer.json(await this.services.read(CountRegistrations, { eventId }, NOBODY)),
    );
  }
}
