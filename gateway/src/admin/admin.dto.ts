import type * as Contract from '@meetmark/contracts';
import { CHECKLIST, MAIL_RECORDS, RECORD_STATES } from '@meetmark/contracts';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Event } from '../events/events.dto.js';
import { COUNT, ID, ID_OR_NULL, MOMENT, MOMENT_OR_NULL, OR_NULL } from '../openapi/answers.js';

export class Summary implements Contract.Summary {
  @ApiProperty(COUNT) totalEvents!: number;
  @ApiProperty({ ...COUNT, description: 'Created in the last 30 days' }) eventsThisMonth!: number;
  @ApiProperty({ ...COUNT, description: 'Events that have not ended' }) upcomingEvents!: number;
  @ApiProperty({ type: [Event], description: 'The first 3 upcoming events' }) nextEvents!: Event[];
  @ApiProperty(COUNT) totalUsers!: number;
  @ApiProperty({ ...COUNT, description: 'Created in the last 30 days' }) newUsers!: number;
}

export class ActivityDay implements Contract.ActivityDay {
  @ApiProperty({ description: 'Day of the week in English: `Mon`' }) name!: string;
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
    description: 'Some of the changed fields before and after. Email addresses are masked',
  })
  values!: Contract.AuditValues;
  @ApiProperty(MOMENT) at!: string;
}

export class SecurityEvent implements Contract.SecurityEvent {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ type: String }) kind!: Contract.SecurityEvent['kind'];
  @ApiProperty({ ...OR_NULL, description: 'Pseudonym of the email address' }) account!: string | null;
  @ApiProperty({ description: 'Pseudonym of the network' }) network!: string;
  @ApiProperty() requestId!: string;
  @ApiProperty(MOMENT) at!: string;
  @ApiProperty({
    ...COUNT,
    description:
      'Number of events in this entry. Events without an account are grouped by network, kind and hour',
  })
  count!: number;
}

class ProcessStatus implements Contract.ProcessStatus {
  @ApiProperty({ type: String }) name!: Contract.ProcessStatus['name'];
  @ApiProperty(COUNT) replicas!: number;
  @ApiPropertyOptional({
    ...COUNT,
    description: 'Number of gateways that can’t process images',
  })
  withoutPictures?: number;
}

class QueueStatus implements Contract.QueueStatus {
  @ApiProperty() name!: string;
  @ApiProperty(COUNT) waiting!: number;
  @ApiProperty(COUNT) active!: number;
  @ApiProperty(COUNT) delayed!: number;
  @ApiProperty(COUNT) failed!: number;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Seconds that the oldest waiting job has waited',
  })
  oldestWaiting!: number | null;
}

class MailStatus implements Contract.MailStatus {
  @ApiProperty(ID) id!: string;
  @ApiProperty({ description: 'Name of the job, such as `mail.registrationConfirmed`' }) kind!: string;
  @ApiProperty({
    enum: ['waiting', 'sent', 'skipped', 'failing', 'refused'],
    description:
      '`skipped`: not needed any more. `failing`: will be tried again. `refused`: won’t be tried again',
  })
  state!: Contract.MailStatus['state'];
  @ApiProperty(MOMENT) createdAt!: string;
  @ApiProperty(MOMENT_OR_NULL) sentAt!: string | null;
  @ApiProperty({ ...COUNT, description: 'How often it was handed to the mail server' }) attempts!: number;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'Only if `state` is `failing`, otherwise null' })
  nextAttemptAt!: string | null;
  @ApiProperty(OR_NULL) recipient!: string | null;
  @ApiProperty(OR_NULL) lastError!: string | null;
}

class LeftOutSetting implements Contract.LeftOutSetting {
  @ApiProperty({ type: String }) name!: Contract.SettingName;
  @ApiProperty({
    ...OR_NULL,
    description: 'Name of the ignored sponsor. null if the whole setting is ignored',
  })
  sponsor!: string | null;
  @ApiProperty({ description: 'The stored value, up to 200 characters' }) value!: string;
}

class ChecklistItem implements Contract.ChecklistItem {
  @ApiProperty({ enum: CHECKLIST }) name!: Contract.ChecklistName;
  @ApiProperty({ ...COUNT, description: 'The current number, which may exceed `needed`' }) count!: number;
  @ApiProperty(COUNT) needed!: number;
  @ApiProperty() done!: boolean;
}

class MailRecord implements Contract.MailRecord {
  @ApiProperty({ enum: MAIL_RECORDS }) name!: Contract.MailRecordName;
  @ApiProperty({
    enum: RECORD_STATES,
    description: '`several`: mail servers ignore all of them. `unknown`: no name server answered',
  })
  state!: Contract.RecordState;
  @ApiProperty({ ...OR_NULL, description: 'Host name of the TXT record' }) host!: string | null;
  @ApiProperty({
    ...OR_NULL,
    description: 'The record that was found, or the one to create. The mail provider knows the values in <…>',
  })
  value!: string | null;
}

class MailCheck implements Contract.MailCheck {
  @ApiProperty({ description: 'Domain that emails are sent from' }) domain!: string;
  @ApiProperty(OR_NULL) selector!: string | null;
  @ApiProperty({ type: [MailRecord] }) records!: MailRecord[];
  @ApiProperty(MOMENT) checkedAt!: string;
}

export class Checklist implements Contract.Checklist {
  @ApiProperty({ type: [ChecklistItem] }) items!: ChecklistItem[];
  @ApiProperty({
    description:
      'Whether a member verified an address with an email, or the mail server accepted an email within the last week',
  })
  mailArrived!: boolean;
  @ApiProperty({ type: MailCheck, nullable: true, description: 'Last result. null before the first check' })
  mailCheck!: MailCheck | null;
  @ApiProperty({ ...MOMENT_OR_NULL, description: 'null before the first backup' }) lastBackup!: string | null;
}

class RetentionRun implements Contract.RetentionRun {
  @ApiProperty(MOMENT) ranAt!: string;
  @ApiProperty({
    ...{ type: 'object', additionalProperties: { type: 'integer' } },
    description: 'Number of entries, registrations, check-ins and accounts, by the setting that is on',
  })
  removed!: Contract.RetentionRun['removed'];
}

export class SystemStatus implements Contract.SystemStatus {
  @ApiProperty({ type: [ProcessStatus] }) processes!: ProcessStatus[];
  @ApiProperty({ type: [QueueStatus] }) queues!: QueueStatus[];
  @ApiProperty({ type: [MailStatus] }) lastMails!: MailStatus[];
  @ApiProperty({ type: [MailStatus], description: 'Emails of the last seven days that won’t be tried again' })
  refusedMails!: MailStatus[];
  @ApiProperty(MOMENT_OR_NULL) lastSchedulerTick!: string | null;
  @ApiProperty({ type: [LeftOutSetting], description: 'Stored settings that can’t be used and are ignored' })
  leftOutSettings?: Contract.LeftOutSetting[];
  @ApiPropertyOptional({ ...MOMENT_OR_NULL, description: 'null before the first backup' })
  lastBackup?: string | null;
  @ApiPropertyOptional({
    ...{ type: RetentionRun, nullable: true },
    description: 'Last nightly deletion of old data. null before the first',
  })
  lastRetention?: RetentionRun | null;
}
