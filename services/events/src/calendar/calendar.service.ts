import { Injectable } from '@nestjs/common';
import { type Community, DomainError, type CalendarDocument } from '@meetmark/contracts';
import { InjectCommunity } from '@meetmark/platform';
import { DataSource } from 'typeorm';
import { eventsSeenBy } from '../events/events.repository.js';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarWriter, cancelledEntryOf, entryOf } from './calendar-writer.js';
import { DeletedEventEntity } from './calendar.entities.js';
import { topicBy } from '../topics/topics.repository.js';
import {
  localeOf,
  memberCalendar,
  publicCalendar,
  topicCalendar,
  type CalendarRows,
} from './calendar.repository.js';

@Injectable()
export class CalendarService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly feeds: CalendarFeedsService,
    private readonly writer: CalendarWriter,
    @InjectCommunity() private readonly community: Pick<Community, 'locale'>,
  ) {}

  /** A deleted event has a cancelled entry. @throws DomainError EVENT_NOT_FOUND */
  async ofEvent(eventId: string): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const event = await eventsSeenBy(manager, null, 'address')
      .andWhere('event.id = :eventId', { eventId })
      .getOne();
    if (event) return this.writer.write([entryOf(event, this.community.locale)]);
    const deleted = await manager.findOneBy(DeletedEventEntity, { id: eventId });
    if (!deleted) throw new DomainError('EVENT_NOT_FOUND');
    return this.writer.write([cancelledEntryOf(deleted)]);
  }

  async ofEverything(): Promise<CalendarDocument> {
    return this.document(await publicCalendar(this.dataSource.manager));
  }

  /** @throws DomainError TOPIC_NOT_FOUND */
  async ofTopic(slug: string): Promise<CalendarDocument> {
    const { manager } = this.dataSource;
    const { id } = await topicBy(manager, 'slug', slug);
    return this.document(await topicCalendar(manager, id));
  }

  /** In the member's language. @throws DomainError CALENDAR_NOT_FOUND */
  async ofMember(token: string): Promise<CalendarDocument> {
    const userId = await this.feeds.memberOf(token);
    const { manager } = this.dataSource;
    return this.document(await memberCalendar(manager, userId), await localeOf(manager, userId));
  }

  private document(
    { events, joining, deleted }: CalendarRows,
    locale: string | null = null,
  ): CalendarDocument {
    const spoken = locale ?? this.community.locale;
    const entries = [
      ...events.map((event) => entryOf(event, spoken, joining?.get(event.id))),
      ...deleted.map(cancelledEntryOf),
    ];
    return this.writer.write(
      entries.toSorted((one, other) => one.startDate.getTime() - other.startDate.getTime()),
    );
  }
}
