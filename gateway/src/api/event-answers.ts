import {
  CountRegistrations,
  EventFilter,
  GetEvent,
  ListOwnRegistrations,
  ListPublicEvents,
} from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { Answer } from '../answers/answer.js';
import { EventList } from '../answers/event-list.js';
import { PublicAnswers } from '../answers/public-answers.js';
import { checkedFields } from './fields.js';
import { pageHeaders } from './pages.js';
import { Services } from './services.js';

const NOBODY = { identity: null };
/** About what one registration takes up in memory. */
const REGISTRATION_BYTES = 500;

/** What everybody is told about events, kept until something about them changes. */
@Injectable()
export class EventAnswers {
  constructor(
    private readonly services: Services,
    private readonly answers: PublicAnswers,
  ) {}

  /** `fields` are those of the query; they are checked when an answer is made: what is answered already has been. */
  list(fields: object): Promise<EventList> {
    // named after what is asked, not after how it was spelled: the router and we might read an odd address differently
    return this.answers.get(`list ${JSON.stringify(fields)}`, async () => {
      const filter = await checkedFields(EventFilter, { ...fields });
      const page = await this.services.read(ListPublicEvents, filter, NOBODY);
      return EventList.of(page.items, pageHeaders('/api/events/public', filter, page));
    });
  }

  /** A list with the member's own registrations in it, which are read once as long as nothing changes. */
  async withOwn(list: EventList, userId: string): Promise<Answer> {
    const { byEvent } = await this.answers.get(`registrations ${userId}`, async () => {
      const own = Object.entries(await this.services.read(ListOwnRegistrations, {}));
      return { byEvent: new Map(own), bytes: own.length * REGISTRATION_BYTES };
    });
    return list.with(byEvent);
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
