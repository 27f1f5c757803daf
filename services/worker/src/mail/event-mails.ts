import type { Community } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { invitation, withdrawal, type CalendarEntry } from './calendar-entry.js';
import { InjectCommunity } from './community.js';
import { Links } from './links.js';
import type { Recipient } from './recipients.js';
import type { MailedEvent } from './registered-events.js';
import { Sender } from './sender.js';
import type { EventFacts } from './templates/event-facts.js';
import { formatSpan } from './when.js';

/** What the mails about events have in common. */
@Injectable()
export class EventMails {
  constructor(
    private readonly sender: Sender,
    private readonly links: Links,
    @InjectCommunity() private readonly community: Community,
  ) {}

  variables(event: MailedEvent, recipient: Recipient): EventFacts & Addressed {
    return {
      communityName: this.community.name,
      firstName: recipient.firstName,
      title: event.title,
      location: event.location,
      when: formatSpan(event, this.community),
      eventUrl: this.links.event(event.id),
      homeUrl: this.links.home(),
      locale: this.community.locale,
    };
  }

  /** @param stamp when the entry came to be as it is */
  invitation(event: MailedEvent, recipient: Recipient, stamp: Date): CalendarEntry {
    return invitation(event, { ...this.parties(recipient), stamp, url: this.links.event(event.id) });
  }

  withdrawal(event: MailedEvent, recipient: Recipient, stamp: Date): CalendarEntry {
    return withdrawal(event, { ...this.parties(recipient), stamp });
  }

  private parties({ firstName, lastName, email }: Recipient) {
    return {
      organizer: { name: this.sender.name, email: this.sender.address },
      attendee: { name: `${firstName} ${lastName}`, email },
      timeZone: this.community.timeZone,
    };
  }
}

interface Addressed {
  communityName: string;
  firstName: string;
  eventUrl: string;
  homeUrl: string;
  locale: string;
}
