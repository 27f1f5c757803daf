import { Controller } from '@nestjs/common';
import {
  CreateCalendarFeed,
  GetCalendarFeed,
  GetEventCalendar,
  GetMemberCalendar,
  GetPublicCalendar,
  GetTopicCalendar,
  RevokeCalendarFeed,
} from '@meetmark/contracts';
import type { CalendarTokenRequest, EventIdRequest, Nothing, TopicSlugRequest } from '@meetmark/contracts';
import { callerId, Handles, type Call } from '@meetmark/platform';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarService } from './calendar.service.js';

@Controller()
export class CalendarController {
  constructor(
    private readonly calendars: CalendarService,
    private readonly feeds: CalendarFeedsService,
  ) {}

  @Handles(GetEventCalendar)
  getEventCalendar({ eventId }: EventIdRequest) {
    return this.calendars.ofEvent(eventId);
  }

  @Handles(GetPublicCalendar)
  getPublicCalendar() {
    return this.calendars.ofEverything();
  }

  @Handles(GetTopicCalendar)
  getTopicCalendar({ slug }: TopicSlugRequest) {
    return this.calendars.ofTopic(slug);
  }

  @Handles(GetMemberCalendar)
  getMemberCalendar({ token }: CalendarTokenRequest) {
    return this.calendars.ofMember(token);
  }

  @Handles(GetCalendarFeed)
  getFeed(_request: Nothing, call: Call) {
    return this.feeds.get(callerId(call));
  }

  @Handles(CreateCalendarFeed)
  createFeed(_request: Nothing, call: Call) {
    return this.feeds.create(callerId(call));
  }

  @Handles(RevokeCalendarFeed)
  revokeFeed(_request: Nothing, call: Call) {
    return this.feeds.revoke(callerId(call));
  }
}
