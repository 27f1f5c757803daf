import type * as Contract from '@meetmark/contracts';
import { CHECKLIST, MAIL_RECORDS, RECORD_STATES } from '@meetmark/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Event } from '../events/events.dto.js';
import { COUNT, ID, ID_OR_NULL, MOMENT, MOMENT_OR_NULL, OR_NULL } from '../openapi/answers.js';

export class Summary implements Contract.Summary {
  @ApiProperty(COUNT) totalEvents!: number;
  @ApiProperty(COUNT) eventsThisMonth!: number;
  @ApiProperty(COUNT) upcomingEvents!: number;
  @ApiProperty({ type: [Event] }) nextEvents!: Event[];
  @ApiProperty(COUNT) totalUsers!: number;
  @ApiProperty(COUNT) newUsers!: number;
}

export class ActivityDay implements Contract.ActivityDay {
  @ApiProperty() name!: string;
  @ApiProperty(COUNT) registrations!: number;
}

export class AuditEntry implements Contract.AuditEntry {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ type: String }) action!: Contract.AuditEntry['action'];
  @ApiProperty(ID) actorId!: string;
  @ApiProperty() actorName!: string;
  @ApiProperty(ID_OR_NULL) subjectId!: string | null;
  @ApiProperty(OR_NULL) subjectName!: string | null;
  @ApiProperty({ type: [String] }) changed!: string[];
  @ApiProperty({
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { before: { type: 'string', nullable: true }, after: { type: 'string', nullable: true } },
    },
    description: 'What some of the changed fields had before and have now; addresses are masked',
  })
  values!: Contract.AuditValues;
  @ApiProperty(MOMENT) at!: string;
}

export class SecurityEvent implements Contract.SecurityEvent {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ type: String }) kind!: Contract.SecurityEvent['kind'];
  @ApiProperty(OR_NULL) account!: string | null;
  @ApiProperty() network!: string;
  @ApiProperty() requestId!: string;
  @ApiProperty(MOMENT) at!: string;
  @ApiProperty(COUNT) count!: number;
}

class ProcessStatus implements Contract.ProcessStatus {
  @ApiProperty({ type: String }) name!: Contract.ProcessStatus['name'];
  @ApiProperty(COUNT) replicas!: number;
  @ApiPropertyOptional({
    ...COUNT,
    description: 'Gateways of these at which no picture can be taken or drawn',
  })
  withoutPictures?: number;
}

class QueueStatus implements Contract.QueueStatus {
  @ApiProperty() name!: string;
  @ApiProperty(COUNT) waiting!: number;
  @ApiProperty(COUNT) active!: number;
  @ApiProperty(COUNT) delayed!: number;
  @ApiProperty(COUNT) failed!: number;
  @ApiProperty({ type: Number, nullable: true }) oldestWaiting!: number | null;
}

class MailStatus implements Contract.MailStatus {
  @ApiProperty(ID) id!: string;
  @ApiProperty() kind!: string;
  @ApiProperty({ enum: ['waiting', 'sent', 'skipped', 'failing', 'refused'] })
  state!: Contract.MailStatus['state'];
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT_OR_NULL) sentAt!: string | null;
  @ApiProperty(COUNT) attempts!: number;
  @ApiProperty(OR_NULL) recipient!: string | null;
  @ApiProperty(OR_NULL) lastError!: string | null;
}

class LeftOutSetting implements Contract.LeftOutSetting {
  @ApiProperty({ type: String }) name!: Contract.SettingName;
  @ApiProperty({ ...OR_NULL, description: 'The sponsor that is left out; null for a setting as a whole' })
  sponsor!: string | null;
  @ApiProperty({ description: 'What is stored, at most 200 characters of it' }) value!: string;
}

class ChecklistItem implements Contract.ChecklistItem {
  @ApiProperty({ enum: CHECKLIST }) name!: Contract.ChecklistName;
  @ApiProperty({ ...COUNT, description: 'Of those that are needed; there may be more' }) count!: number;
  @ApiProperty(COUNT) needed!: number;
  @ApiProperty() done!: boolean;
}

class MailRecord implements Contract.MailRecord {
  @ApiProperty({ enum: MAIL_RECORDS }) name!: Contract.MailRecordName;
  @ApiProperty({ enum: RECORD_STATES }) state!: Contract.RecordState;
  @ApiProperty({ ...OR_NULL, description: 'Where the TXT record is or belongs' }) host!: string | null;
  @ApiProperty({
    ...OR_NULL,
    description: 'What was found, or what to write; the mail provider says what stands for a word in <…>',
  })
  value!: string | null;
}

class MailCheck implements Contract.MailCheck {
  @ApiProperty({ description: 'That mails come from' }) domain!: string;
  @ApiProperty(OR_NULL) selector!: string | null;
  @ApiProperty({ type: [MailRecord] }) records!: MailRecord[];
  @ApiProperty(MOMENT) checkedAt!: string;
}

export class Checklist implements Contract.Checklist {
  @ApiProperty({ type: [ChecklistItem] }) items!: ChecklistItem[];
  @ApiProperty({
    description: 'A member proved their address by a mail, or one went out within the last week',
  })
  mailArrived!: boolean;
  @ApiProperty({ type: MailCheck, nullable: true, description: 'The last one; null before the first' })
  mailCheck!: MailCheck | null;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Null before the first one' }) lastBackup!: string | null;
}

export class SystemStatus implements Contract.SystemStatus {
  @ApiProperty({ type: [ProcessStatus] }) processes!: ProcessStatus[];
  @ApiProperty({ type: [QueueStatus] }) queues!: QueueStatus[];
  @ApiProperty({ type: [MailStatus] }) lastMails!: MailStatus[];
  @ApiProperty({ type: [MailStatus], description: 'Refused for good within the last seven days' })
  refusedMails!: MailStatus[];
  @ApiProperty(MOMENT_OR_NULL) lastSchedulerTick!: string | null;
  @ApiProperty({ type: [LeftOutSetting], description: 'Settings that are stored and cannot be used' })
  leftOutSettings?: Contract.LeftOutSetting[];
  @ApiPropertyOptional({ ...MOMENT_OR_NULL, description: 'Null before the first one' })
  lastBackup?: string | null;
}
