import type { Message } from '@meetmark/contracts';
import { IsInt, IsString } from 'class-validator';

export class EchoRequest {
  @IsInt()
  number!: number;

  @IsString()
  title!: string;
}

// Defined without `messagesTo`, which would add the message to the real service.
export const Echo: Message<EchoRequest, EchoRequest> = {
  service: 'events',
  name: 'bench.echo',
  access: 'public',
  request: EchoRequest,
};
