import { Nothing, type Access, type Message } from '@meetmark/contracts';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';

export class Address {
  @IsString()
  @MaxLength(20)
  city!: string;
}

export class WorkRequest {
  @IsInt()
  number!: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  takes?: number;

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
  pid: number;
  text: string;
}

export interface Seen {
  requestId: string;
  traceparent?: string;
  sub: string | null;
  timeLeft: number;
}

// Doesn't use messagesTo, because it would add these messages to the real service.
const sample = <Req extends object, Res>(
  name: string,
  access: Access,
  request: new () => Req,
): Message<Req, Res> => ({ service: 'events', name, access, request });

export const Work = sample<WorkRequest, WorkDone>('sample.work', 'public', WorkRequest);
export const MembersOnly = sample<Nothing, Seen>('sample.membersOnly', 'member', Nothing);
export const AdminsOnly = sample<Nothing, Seen>('sample.adminsOnly', 'admin', Nothing);
export const Look = sample<Nothing, Seen>('sample.look', 'internal', Nothing);
export const Refuse = sample<Nothing, void>('sample.refuse', 'public', Nothing);
export const Break = sample<Nothing, void>('sample.break', 'public', Nothing);
export const Silent = sample<Nothing, void>('sample.silent', 'public', Nothing);
export const sampleMessages: Message[] = [Work, MembersOnly, AdminsOnly, Look, Refuse, Break, Silent];
