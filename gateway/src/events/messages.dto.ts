import type * as Contract from '@meetmark/contracts';
import { MESSAGE_SEGMENTS, MESSAGE_STATES, RECIPIENT_STATES, REPLIES_TO } from '@meetmark/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { COUNT, ID, MOMENT, MOMENT_OR_NULL } from '../openapi/answers.js';

class MessageAuthor {
  @ApiProperty() firstName!: string;
  @ApiProperty() lastName!: string;
}

export class EventMessage implements Contract.EventMessage {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ type: MessageAuthor, nullable: true, description: 'null if the account was deleted' })
  author!: MessageAuthor | null;
  @ApiProperty({ enum: MESSAGE_SEGMENTS, description: 'Recipients' })
  segment!: Contract.MessageSegment;
  @ApiProperty() subject!: string;
  @ApiProperty({ enum: REPLIES_TO, description: 'Who gets replies' }) replyTo!: Contract.RepliesTo;
  @ApiProperty({ enum: MESSAGE_STATES }) state!: Contract.MessageState;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'null for a draft' }) sendAt!: string | null;
  @ApiProperty({
    ...MOMENT_OR_NULL,
    description: 'When sending started. Later registrations don’t get the message',
  })
  startedAt!: string | null;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty({ ...COUNT, description: '0 until sending starts' }) recipients!: number;
  @ApiProperty(COUNT) sent!: number;
  @ApiProperty({ ...COUNT, description: 'Refused by the mail server' }) refused!: number;
  @ApiProperty({
    ...COUNT,
    description: 'Not sent: the person unsubscribed or has no verified email address',
  })
  skipped!: number;
}

export class EventMessagePage extends EventMessage implements Contract.EventMessagePage {
  @ApiProperty({ description: 'Markdown' }) body!: string;
  @ApiProperty({ type: [String], description: 'For the segment `chosen`' }) registrationIds!: string[];
}

export class MessageRecipient implements Contract.MessageRecipient {
  @ApiProperty(ID) registrationId!: string;
  @ApiProperty() name!: string;
  @ApiProperty() email!: string;
  @ApiProperty({ enum: RECIPIENT_STATES }) state!: Contract.RecipientState;
  @ApiProperty({
    ...MOMENT_OR_NULL,
    description: 'When the state was reached. null while the email is queued',
  })
  at!: string | null;
}

export class MessageAudience implements Contract.MessageAudience {
  @ApiProperty(COUNT) registered!: number;
  @ApiProperty(COUNT) waiting!: number;
  @ApiProperty({ ...COUNT, description: 'Registered and checked in' }) came!: number;
  @ApiProperty({ ...COUNT, description: 'Registered and not checked in, if anyone was checked in' })
  did_not_come!: number;
}

export class RenderedMessage implements Contract.RenderedMessage {
  @ApiProperty() subject!: string;
  @ApiProperty({ description: 'Complete HTML document' }) html!: string;
  @ApiProperty() text!: string;
}
