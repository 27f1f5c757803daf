import { Nothing, type Access, type Message } from '@meetmark/contracts';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import type { LeadingMessage } from './gateway-of-1.0.0.js';

export class Address {
  @IsString()
  @MaxLength(20)
  city!: string;
}

export class WorkRequest {
  @IsInt()
  number!: number;

  /** Milliseconds that the handler takes. */
  @IsOptional()
  @IsInt()
  @Min(0)
  takes?: number;

  /** Characters that the answer is long. */
  @IsOptional()
  @IsInt()
  size?: number;

  @IsOptional()
  @ValidateNested()
  @Type(() => Address)
  address?: Address;
}

export interface WorkDone {
  number: number;
  /** The process that did it. */
  pid: number;
  text: string;
}

export interface Seen {
  requestId: string;
  traceparent?: string;
  sub: string | null;
  timeLeft: number;
}

// not by defineMessage: these belong to tests and must not appear among what the real service has to answer
const sample = <Req extends object, Res>(
  name: string,
  access: Access,
  request: new () => Req,
  service: Message['service'] = 'events',
): Message<Req, Res> => ({ service, name, access, request });

export const Work = sample<WorkRequest, WorkDone>('sample.work', 'public', WorkRequest);
export const MembersOnly = sample<Nothing, Seen>('sample.membersOnly', 'member', Nothing);
export const AdminsOnly = sample<Nothing, Seen>('sample.adminsOnly', 'admin', Nothing);
export const Look = sample<Nothing, Seen>('sample.look', 'internal', Nothing);
export const Refuse = sample<Nothing, void>('sample.refuse', 'public', Nothing);
export const Break = sample<Nothing, void>('sample.break', 'public', Nothing);
export const Silent = sample<Nothing, void>('sample.silent', 'public', Nothing);
export const sampleMessages: Message[] = [Work, MembersOnly, AdminsOnly, Look, Refuse, Break, Silent];

/** A second service that asks the first one. */
export const Relay: LeadingMessage<Nothing, { here: Seen; there: Seen }> = {
  ...sample<Nothing, { here: Seen; there: Seen }>('relay.look', 'member', Nothing, 'admin'),
  onward: () => [{ service: Look.service, name: Look.name, data: {} }],
};
