import type { Message } from '@meetmark/contracts';
import { IsInt, IsString } from 'class-validator';

export class EchoRequest {
  @IsInt()
  number!: number;

  @IsString()
  title!: string;
}

// `messagesTo` defines only messages of the real service.
export const Echo: Message<EchoRequest, EchoRequest> = {
  service: 'events',
  name: 'bench.echo',
  access: 'public',
  request: EchoRequest,
};
