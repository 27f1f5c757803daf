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
  @ApiProperty({ type: MessageAuthor, nullable: true, description: 'Null once the account is gone' })
  author!: MessageAuthor | null;
  @ApiProperty({ enum: MESSAGE_SEGMENTS, description: 'Whom it goes to' })
  segment!: Contract.MessageSegment;
  @ApiProperty() subject!: string;
  @ApiProperty({ enum: REPLIES_TO, description: 'Where an answer goes' }) replyTo!: Contract.RepliesTo;
  @ApiProperty({ enum: MESSAGE_STATES }) state!: Contract.MessageState;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Null in a draft' }) sendAt!: string | null;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When the recipients were fixed' })
  startedAt!: string | null;
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT) updatedAt!: string;
  @ApiProperty({ ...COUNT, description: '0 until sending has started' }) recipients!: number;
  @ApiProperty(COUNT) sent!: number;
  @ApiProperty({ ...COUNT, description: 'By the mail server' }) refused!: number;
  @ApiProperty({ ...COUNT, description: 'Stopped such mails, or have no verified address' })
  skipped!: number;
}

export class EventMessagePage extends EventMessage implements Contract.EventMessagePage {
  @ApiProperty({ description: 'Markdown' }) body!: string;
  @ApiProperty({ type: [String], description: 'Of the segment `chosen`' }) registrationIds!: string[];
}

export class MessageRecipient implements Contract.MessageRecipient {
  @ApiProperty(ID) registrationId!: string;
  @ApiProperty() name!: string;
  @ApiProperty() email!: string;
  @ApiProperty({ enum: RECIPIENT_STATES }) state!: Contract.RecipientState;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'When it came to that' }) at!: string | null;
}

export class MessageAudience implements Contract.MessageAudience {
  @ApiProperty(COUNT) registered!: number;
  @ApiProperty(COUNT) waiting!: number;
  @ApiProperty({ ...COUNT, description: 'Of those with a place, who were checked in' }) came!: number;
  @ApiProperty({ ...COUNT, description: 'Of those with a place, who were not, where anybody was' })
  did_not_come!: number;
}

export class RenderedMessage implements Contract.RenderedMessage {
  @ApiProperty() subject!: string;
  @ApiProperty({ description: 'A whole document' }) html!: string;
  @ApiProperty() text!: string;
}
